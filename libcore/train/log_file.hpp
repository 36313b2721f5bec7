// The log file of a run, complete across interruptions.
//
// A run that resumes from step N removes the lines after N, which it writes again, and a truncated
// last line.  A new run, and one that resumes after another has written there, appends a header and
// its lines to those of other runs.  Test: tests/unit/train/log_file_test.cpp,
// tests/cli/train_log.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace awend::train {

/// The place of a run in its log.
struct LogPlace {
  std::uint64_t step = 0;  ///< From which the run resumes; 0: a new run.
  /// Where the header of the run is; nothing: it is the last one of the file.
  std::optional<std::uint64_t> begin = {};
  /// Of the first line after the header, with its seconds: another run may have written another
  /// file of this name.  Empty: any.
  std::string first_line = {};
};

struct LogFile {
  std::unique_ptr<base::OutputFile> output;
  std::optional<std::uint64_t> begin;  ///< See LogPlace; nothing if the file is not regular.
  std::uint64_t last_step = 0;         ///< Of the lines that the run has written there.
  std::string first_line = {};         ///< See LogPlace; empty if there is none yet.
};

/// What LogPlace has of a line.
std::string line_checksum(std::string_view line);

/// Throws Error naming `path` if open_log_file() would fail, before hours of work would be lost.
void require_log_file(const std::string& path);

/// Opens `path` for lines after `place.step`, and writes `header` if needed: also to the log of a
/// resumed run whose columns have other names.  A file that is not regular, such as a pipe, is
/// written directly.  Throws Error naming the file if it is not a log; such a file is never
/// overwritten.
LogFile open_log_file(const std::string& path, std::string_view header, const LogPlace& place);

/// The last step of the lines that a run with this place has in the log; nothing if it has none, or
/// the file is not regular or does not exist.
std::optional<std::uint64_t> last_logged_step(const std::string& path, const LogPlace& place);

}  // namespace awend::train
