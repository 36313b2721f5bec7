// Finds the other processes of a run.  Test: tests/ranks/ranks_test.cpp,
// tests/unit/train/launcher_test.cpp.
#pragma once

#include <memory>

#include "train/ranks/ranks.hpp"

namespace awend::train {

/// The ranks that the launcher of this process has started.  Throws Error if there are several but
/// they cannot connect.
std::unique_ptr<Ranks> join_ranks();

}  // namespace awend::train
