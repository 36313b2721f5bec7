// What --version says of this build: the commit, the compiler, the libraries.
//
// CMake writes build_info.cpp out of build_info.cpp.in.  It is compiled again, and only the
// programs are linked again, when the commit changes.  Test: tests/manners/help_version.sh.
#pragma once

#include <string_view>

namespace awend::tools {

/// Lines "commit: …", "compiler: …" and "built with: …", each with its line feed.
std::string_view build_info();

}  // namespace awend::tools
