// The frequency vocabulary of subword-nmt: lines `piece count`, by decreasing count, equal counts
// by first occurrence.  A piece that does not end a word ends in the separator, `@@`. Test:
// tests/unit/text/subword_nmt/subword_nmt_codes_test.cpp, tests/fuzz/subword_nmt_test.cpp.
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

/// The text of the file, as written by subword-nmt's get-vocab.
std::string print_counts(const OrderedCounts& counts);

/// Parses the text of the file.  Error "name:line: what" for a line that is not a piece, one space
/// and a count; messages call the piece `item`.
std::vector<PieceCount> parse_counts(std::string_view content, const std::string& name,
                                     std::string_view item = "piece");

}  // namespace awend::text
