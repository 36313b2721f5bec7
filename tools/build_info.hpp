// Build information in --version: the commit, the compiler, the libraries.
//
// CMake writes build_info.cpp from build_info.cpp.in.  When the commit changes, only this file is
// recompiled, and the programs are relinked.  Test: tests/conventions/help_version.sh.
#pragma once

#include <string_view>

namespace awend::tools {

/// Lines "commit: …", "compiler: …" and "built with: …", each with its line feed.
std::string_view build_info();

}  // namespace awend::tools
