// The differences of two checkpoints.  Test: tests/cli/inspect.sh.
#pragma once

#include <string>

#include "cli/progress.hpp"

namespace awend::tools {

/// Settings, arrays, weights and vocabularies of A and B; one line if all are identical.
std::string diff_text(const std::string& a, const std::string& b,
                      cli::Progress* progress = nullptr);

}  // namespace awend::tools
