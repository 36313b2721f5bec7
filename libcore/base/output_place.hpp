// Resolution of output paths: to a file that is replaced as a whole, or to something that is
// written directly.
//
// Devices, pipes, sockets and everything below /dev and /proc (/dev/stdout, /dev/fd/3,
// /proc/self/fd/1) are written directly: replacing them would replace the file that the shell
// opened. /dev/shm is an ordinary file system.  A file on which another is mounted, as containers
// do, is written directly, too.  Symbolic links are followed to their target, which need not exist.
// Test: tests/unit/base/output_place_test.cpp.
#pragma once

#include <optional>
#include <string>

namespace awend::base {

struct OutputPlace {
  std::string path;               ///< After resolving all links.
  bool replaces = true;           ///< False: written directly.
  std::optional<int> descriptor;  ///< If it is already open in this process; implies !replaces.
};

/// Throws Error naming `path` if its links form a cycle, or if one in a directory like /tmp belongs
/// to another user, or if it is a file there that the user may not replace.
OutputPlace find_output_place(const std::string& path);

}  // namespace awend::base
