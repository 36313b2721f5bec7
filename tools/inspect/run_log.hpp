// Reading the log of train: numbers by column.  Test: tests/unit/inspect/run_log_test.cpp,
// tests/fuzz/run_log_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::tools {

/// The limit for readers of a log: its lines are short.
inline constexpr base::LineLimits kLogLimits = {.line_bytes = std::uint64_t{1} << 16,
                                                .file_bytes = std::uint64_t{1} << 30};

/// The numbers of one line; an unknown number is NaN.
using LogRow = std::vector<double>;

struct RunLog {
  std::string name;  ///< Of the file.
  std::vector<std::string> columns;
  std::vector<LogRow> rows;  ///< By increasing step, one per step.

  /// The index of a column, or columns.size() if this log does not have it.
  std::size_t column(std::string_view column_name) const;
};

/// Lines before the first header are ignored.  Headers may be repeated if a run was resumed in the
/// same file, also with other columns; of several lines of a step the last counts, and the lines of
/// a resumed run replace all lines after its first step.  Error "file:line: what" for anything
/// else, or if there is no line.
RunLog read_log(base::LineReader& lines);

}  // namespace awend::tools
