// The log file of a run, complete across interruptions.
//
// A run that resumes from step N removes the lines after N, which it writes again, and a truncated
// last line.  A new run appends a header and its lines to those of older runs.  Test:
// tests/unit/train/log_file_test.cpp, tests/cli/train_log.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace awend::train {

/// Opens `path` for lines after `first_step` (0: a new run), and writes `header` if needed: also to
/// the log of a resumed run whose columns have other names.  A file
/// that is not regular, such as a pipe, is written directly.  Throws Error naming the file if it is
/// not a log; such a file is never overwritten.
std::unique_ptr<base::OutputFile> open_log_file(const std::string& path, std::string_view header,
                                                std::uint64_t first_step);

}  // namespace awend::train
