// Scores as tab-separated lines, for other programs and the plots of inspect.
//
// The first line names the columns: system, metric, length, lines, score, mean, interval, p_value.
// A missing number is a hyphen.  Test: tests/unit/metrics/by_length_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/by_length.hpp"
#include "metrics/table.hpp"

namespace awend::metrics {

inline constexpr std::string_view kScoreColumns =
    "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value";

/// The scores of whole corpora of this many lines, whose length is "all".
std::string score_lines(const SystemsReport& report, std::uint64_t lines);

/// The scores of the groups; the report contains the names.
std::string score_lines(const SystemsReport& report, const std::vector<LengthGroup>& groups);

/// A table with one row per group, and JSON with one object per group.
std::string length_table(const SystemsReport& report, const std::vector<LengthGroup>& groups,
                         int digits);
std::string length_json(const SystemsReport& report, const std::vector<LengthGroup>& groups,
                        int digits);

}  // namespace awend::metrics
