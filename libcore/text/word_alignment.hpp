// Word alignments of sentence pairs in the form of Pharaoh: a line for each pair, `0-0 1-2 3-1`,
// the positions of linked source and target words, from 0.  In gold alignments, `3p1` or `3?1` is a
// possible link, the others are sure (Och and Ney 2003).
//
// Test: tests/unit/text/word_alignment_test.cpp.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

struct Link {
  std::uint32_t source = 0, target = 0;

  auto operator<=>(const Link&) const = default;
};

struct WordAlignment {
  std::vector<Link> sure, possible;  ///< In the order of the line; no link is in both.
};

/// The links of a line.  Throws Error "'0_0' is not a link, such as 0-0".
WordAlignment parse_word_alignment(std::string_view line);

/// Appends `0-0 1-2`.
void append_word_alignment(std::span<const Link> links, std::string& line);

}  // namespace awend::text
