// Names and tokens of other people for a terminal.  Test: tests/unit/base/visible_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::base {

/// The text on one line that cannot control the terminal: the bytes of control characters (also
/// U+0080 to U+009F) except tabs, and of characters that reverse the text after them, as \x0D.
std::string visible(std::string_view text);

}  // namespace awend::base
