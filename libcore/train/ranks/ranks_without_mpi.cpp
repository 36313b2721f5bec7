// A build without MPI.
#include "train/ranks/ranks_mpi.hpp"

namespace awend::train {

std::unique_ptr<Ranks> mpi_ranks() {
  return nullptr;
}

std::string mpi_origin() {
  return "MPI: none";
}

}  // namespace awend::train
