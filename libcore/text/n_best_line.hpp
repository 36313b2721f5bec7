// Lines of n-best lists, as translate and Moses write them: `NUMBER ||| TEXT ||| FIELDS`.
//
// Test: tests/unit/text/n_best_line_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace awend::text {

struct NBestLine {
  std::uint64_t number = 0;                               ///< Of the source line, from 0.
  std::string_view text;                                  ///< Without the spaces next to the bars.
  std::optional<std::string_view> fields = std::nullopt;  ///< What follows the text, if anything.
};

/// The parts of a line, or nothing for other lines.  The text of a line of translate may
/// contain bars: it ends before the last "||| logprob=".  That of another program ends at the
/// second bar.
std::optional<NBestLine> parse_n_best_line(std::string_view line);

}  // namespace awend::text
