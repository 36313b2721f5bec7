// Sizes of memory as users write them.  Test: tests/unit/base/size_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>

namespace awend::base {

/// "500M", "4G", "1.5G", "65536" (bytes) or "50%" (of `all_bytes`); K, M, G and T are powers of
/// 1024.  UsageError for anything else.
std::size_t parse_size(std::string_view text, std::size_t all_bytes);

}  // namespace awend::base
