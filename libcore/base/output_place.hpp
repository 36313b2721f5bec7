// Where an output path leads: to a file that is replaced as a whole, or to something that is
// written directly.
//
// Devices, pipes, sockets and whatever is reached through /dev or /proc (/dev/stdout,
// /dev/fd/3, /proc/self/fd/1) are written directly: replacing them would replace the file that the
// shell opened.  /dev/shm is a file system like any other.  Symbolic links are followed to their
// end, which may be a file that does not exist yet.  Test: tests/unit/base/output_place_test.cpp.
#pragma once

#include <optional>
#include <string>

namespace awend::base {

struct OutputPlace {
  std::string path;               ///< After all links.
  bool replaces = true;           ///< False: written directly.
  std::optional<int> descriptor;  ///< Open already in this process; implies !replaces.
};

/// Throws Error naming `path` if its links form a circle.
OutputPlace find_output_place(const std::string& path);

}  // namespace awend::base
