// The door to MPI: ranks_with_mpi.cpp, or in a build that lacks it ranks_without_mpi.cpp.
#pragma once

#include <memory>

#include "train/ranks.hpp"

namespace awend::train {

/// Starts MPI, which ends with the object; null in a build without it.
std::unique_ptr<Ranks> mpi_ranks();

}  // namespace awend::train
