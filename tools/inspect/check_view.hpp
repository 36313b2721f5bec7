// inspect --check: reads all kinds of files of awend completely, and reports whether they are
// undamaged.  Test: tests/cli/damage.sh.
#pragma once

#include <span>
#include <string>

#include "cli/progress.hpp"

namespace awend::tools {

struct CheckedFiles {
  std::string text;     ///< A line for each file: `FILE: ok: KIND, DETAILS`, or the problem.
  std::string failure;  ///< The number of damaged files; empty if there are none.
};

CheckedFiles check_files(std::span<const std::string> paths, cli::Progress* progress = nullptr);

}  // namespace awend::tools
