// inspect --check: reads files of any kind that awend writes or reads, completely, and reports
// whether they are whole.  Test: tests/cli/damage.sh.
#pragma once

#include <span>
#include <string>

#include "base/progress.hpp"

namespace awend::tools {

struct CheckedFiles {
  std::string text;  ///< A line for each file: `FILE: ok: KIND, DETAILS`, or what is wrong with it.
  std::string failure;  ///< How many files are not whole; empty if all are.
};

CheckedFiles check_files(std::span<const std::string> paths, base::Progress* progress = nullptr);

}  // namespace awend::tools
