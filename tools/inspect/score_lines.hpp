// Reading the lines of score --format tsv. Test: tests/unit/inspect/score_bars_test.cpp,
// tests/fuzz/score_lines_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.hpp"

namespace awend::tools {

/// One score; every number is finite.
struct ScoreLine {
  std::string system, metric;
  std::string length;  // "all", or a group such as "10-19"
  std::uint64_t lines = 0;
  double score = 0;
  std::optional<double> mean, interval, p_value;
};

/// Error "file:line: what" for anything else, or if there is no score.
std::vector<ScoreLine> read_scores(base::LineReader& lines);

}  // namespace awend::tools
