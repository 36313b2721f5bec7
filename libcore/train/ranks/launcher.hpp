// Who started this process: alone, or with others through MPI.  Environment variables tell, so that
// a process that is alone need not ask MPI.  Test: tests/unit/train/launcher_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace awend::train {

struct Launch {
  std::string launcher;                ///< Its variable, "OMPI_COMM_WORLD_SIZE".
  std::optional<std::uint32_t> ranks;  ///< As many as it started, if it says.
  bool speaks_mpi = true;              ///< False: it gave the processes nothing to meet by.
};

/// The value of an environment variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Nothing if the process is alone.
std::optional<Launch> find_launch(const Environment& environment);

}  // namespace awend::train
