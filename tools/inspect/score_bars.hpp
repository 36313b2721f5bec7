// Scores as bars: a panel for each metric, a group of bars for each length, a color for each
// system, and a line for the confidence interval. Test: tests/unit/inspect/score_bars_test.cpp,
// tests/cli/inspect_scores.sh.
#pragma once

#include <string>
#include <vector>

#include "inspect/score_lines.hpp"

namespace awend::tools {

/// An SVG file.  Of several scores of the same system, metric and length the last counts.
/// Requires: there is at least one score.
std::string score_bars_svg(const std::vector<ScoreLine>& scores);

}  // namespace awend::tools
