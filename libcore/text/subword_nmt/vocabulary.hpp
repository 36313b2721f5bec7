// The frequency vocabulary of subword-nmt: `piece count` a line, by falling count, among equals by
// first appearance.  A piece that another follows in its word ends with the separator, `@@`.
// Test: tests/unit/text/subword_nmt_codes_test.cpp, tests/fuzz/subword_nmt_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/subword_nmt/ordered_counts.hpp"

namespace awend::text {

struct PieceCount {
  std::string piece;
  std::uint64_t count;
};

/// Counts the pieces of a token line, or the words of any line.
void count_tokens(std::string_view line, OrderedCounts& counts);

/// The file's text: what subword-nmt's get-vocab writes of what was counted.
std::string print_counts(const OrderedCounts& counts);

/// Reads the file's text.  Error "name:line: what" for a line that is not a piece, one space and a
/// count; `item` is what the message calls the piece.
std::vector<PieceCount> parse_counts(std::string_view content, const std::string& name,
                                     std::string_view item = "piece");

}  // namespace awend::text
