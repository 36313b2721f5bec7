// Detects whether a launcher started this process with others, from environment variables, so that
// a single process does not initialize MPI.  Test: tests/unit/train/launcher_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace awend::train {

struct Launch {
  std::string launcher;  ///< The environment variable, such as "OMPI_COMM_WORLD_SIZE".
  std::optional<std::uint32_t> ranks;  ///< The number of processes, if known.
  bool speaks_mpi = true;              ///< False: the processes cannot connect through MPI.
};

/// The value of an environment variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Nothing for a single process.
std::optional<Launch> find_launch(const Environment& environment);

}  // namespace awend::train
