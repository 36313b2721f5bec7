// Bytes as text (RFC 4648, with padding).  Test: tests/unit/text/base64_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

std::string base64(std::string_view bytes);

/// Appends the bytes that `text` encodes; false if it is not complete base64.
bool append_base64(std::string_view text, std::string& bytes);

}  // namespace awend::text
