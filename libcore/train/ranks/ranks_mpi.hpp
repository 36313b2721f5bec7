// Ranks through MPI: ranks_with_mpi.cpp, or ranks_without_mpi.cpp in a build without MPI.
#pragma once

#include <memory>
#include <string>

#include "train/ranks/ranks.hpp"

namespace awend::train {

/// Starts MPI, which ends with the object; null in a build without it.
std::unique_ptr<Ranks> mpi_ranks();

/// "MPI: Open MPI v4.1.4", or "MPI: none".
std::string mpi_origin();

}  // namespace awend::train
