// What two checkpoints differ in.  Test: tests/cli/inspect.sh.
#pragma once

#include <string>

#include "base/progress.hpp"

namespace awend::tools {

/// Settings, arrays, weights and vocabularies of A and B; one line if all are the same, bit by bit.
std::string diff_text(const std::string& a, const std::string& b,
                      base::Progress* progress = nullptr);

}  // namespace awend::tools
