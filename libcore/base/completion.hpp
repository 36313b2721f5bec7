// A tool's command line for shells that complete words: scripts for bash, zsh and fish, made from
// the table that the parser reads, so that they know the options that there are.
//
// `tool --completion SHELL [NAME]` prints one; the build installs those of all tools.
// Test: tests/unit/base/completion_test.cpp, and tests/install/completion.sh in the shells.
#pragma once

#include <string>
#include <string_view>

#include "base/options.hpp"

namespace awend::base {

/// The script by which `shell` completes the words after the program tool.name.  UsageError for
/// another shell than bash, zsh or fish.
std::string completion_script(const ToolDescription& tool, std::string_view shell);

}  // namespace awend::base
