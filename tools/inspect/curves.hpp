// Logs as curves: one SVG file with a panel for each quantity of a log, and a color for each run.
// It is readable on light and dark pages. Test: tests/unit/inspect/curves_test.cpp,
// tests/cli/inspect_curves.sh.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field.hpp"
#include "inspect/axis.hpp"
#include "inspect/run_log.hpp"

namespace awend::tools {

using Points = std::vector<std::pair<double, double>>;

/// The quantity on the x axis.
enum class Over { kStep, kEpoch, kSeconds };
inline constexpr base::Word<Over> kOverWords[] = {
    {Over::kStep, "step"}, {Over::kEpoch, "epoch"}, {Over::kSeconds, "seconds"}};

/// The finite points of two columns, on a logarithmic scale the positive ones; none if the log does
/// not have the column.
Points points_of(const RunLog& log, std::string_view x, std::string_view y, Scale scale);

/// At most one point, the mean, for each of `buckets` equal parts of the x axis.
Points thinned(const Points& points, std::size_t buckets);

/// Requires: there is at least one log.
std::string curves_svg(const std::vector<RunLog>& logs, Over over);

}  // namespace awend::tools
