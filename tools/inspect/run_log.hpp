// The log of train, read back: numbers by column.  Test: tests/unit/inspect/run_log_test.cpp,
// tests/fuzz/run_log_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::tools {

/// For the reader of a log: its lines are short, whatever the file is.
inline constexpr base::LineLimits kLogLimits = {.line_bytes = std::uint64_t{1} << 16,
                                                .file_bytes = std::uint64_t{1} << 30};

/// What one line says; a number that is not known is NaN.
using LogRow = std::vector<double>;

struct RunLog {
  std::string name;  ///< Of the file.
  std::vector<std::string> columns;
  std::vector<LogRow> rows;  ///< By rising step, one a step.

  /// The place of a column, or columns.size() if this log is older than it.
  std::size_t column(std::string_view column_name) const;
};

/// Lines before the first header are ignored.  Headers may stand again where a run went on in the
/// same file, with other columns too; of several lines of one step the last counts, and what a run
/// did again after it was resumed replaces all that stood behind that step.  Error "file:line:
/// what" for anything else, or if there is no line.
RunLog read_log(base::LineReader& lines);

}  // namespace awend::tools
