// Completion scripts for bash, zsh and fish, generated from the option table that the parser reads.
//
// `tool --completion SHELL [NAME]` prints a script; the build installs the scripts of all tools.
// Test: tests/unit/cli/completion_test.cpp, and tests/install/completion.sh in the shells.
#pragma once

#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace awend::cli {

/// The script with which `shell` completes the arguments of the program tool.name.  UsageError for
/// shells other than bash, zsh and fish.
std::string completion_script(const ToolDescription& tool, std::string_view shell);

}  // namespace awend::cli
