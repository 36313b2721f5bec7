// The output for several systems: a table for a terminal or LaTeX, or JSON, in the layout of
// sacreBLEU.
//
// Test: tests/unit/metrics/report_test.cpp, tests/cli/score_cases_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/report.hpp"

namespace awend::metrics {

/// The score of one system in one metric.  The baseline has no p-value.
struct Comparison {
  double score = 0;
  std::optional<double> p_value = {};
  std::optional<Confidence> confidence = {};
  /// The score is that of the baseline, and no sample differs more: the p-value is the smallest
  /// possible one, as if a difference were certain.
  bool is_equal = false;
};

struct SystemScores {
  std::string name;
  std::vector<Comparison> scores;  // by metric
};

struct SystemsReport {
  std::vector<std::string> metrics;  // names
  std::vector<Signature> signatures;
  std::vector<SystemScores> systems;  // the first one is the baseline of the tests
  std::optional<Sampling> test = {};
};

enum class TableStyle { kText, kLatex };

/// The table, a description of the test, and the signatures.
std::string table_of(const SystemsReport& report, TableStyle table, const TextStyle& text);

/// Scores with this many decimal places; those of a test in full.
std::string json_of(const SystemsReport& report, int digits);

}  // namespace awend::metrics
