// The log file of a run: all of its lines, however often it was interrupted.
//
// A run that resumes from step N drops the lines after N, which it writes again, and a last line
// that was cut off when the process was killed.  A new run adds its lines to those of older runs,
// after a header of its own.  Test: tests/unit/train/log_file_test.cpp,
// tests/cli/train_log.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/files.hpp"

namespace awend::train {

/// Opens `path` for lines after `first_step` (0: of a new run), with the header where it is due.
/// Anything that is not a regular file, such as a pipe, is written directly.  Throws Error naming
/// the file if it holds something else than a log, which is never overwritten.
std::unique_ptr<base::OutputFile> open_log_file(const std::string& path, std::uint64_t first_step);

}  // namespace awend::train
