// Temporary files next to the file that they will replace: unique names, and removal of files whose
// writer was killed.
//
// A temporary file of NAME is called "NAME.XXXXXXXXXXXX.tmp"; the X are random letters and digits;
// a NAME of more than 238 bytes is shortened.
// It is created with O_EXCL, so that an existing file or symbolic link is never opened, and two
// processes never share one, even with the same process id in two containers.  The writer holds a
// lock (flock) on it until it is closed: a file without a lock has no writer.
//
// Test: tests/unit/base/temporary_file_test.cpp, tests/faults/shared_cache.sh.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace awend::base {

inline constexpr std::size_t kRandomSuffixLength = 12;

/// This many random letters and digits, from the system.
std::string random_suffix();

/// The path of a temporary file for `target`, next to it.  A name that would be too long is
/// shortened, at the end of a character because some file systems require UTF-8.
std::string temporary_name(const std::string& target);

struct TemporaryFile {
  std::string path;
  Descriptor file;  ///< Open for reading and writing, locked.
};

/// Creates a temporary file for `target`, with the permissions of new files, or only for this user
/// if it replaces another.  Throws Error naming `name` on failure.
TemporaryFile create_temporary(const std::string& target, std::string_view name);

/// Makes `link` a symbolic link to `destination`, replacing an existing file.  Returns false if
/// the file system has no symbolic links; throws Error naming `link` on other failures.
bool replace_symbolic_link(const std::string& destination, const std::string& link);

/// Removes temporary files in `directory` whose writer is dead.  Only those whose target's name
/// `is_own` accepts are considered.  Files that cannot be inspected or removed are kept.
void remove_abandoned(const std::string& directory,
                      const std::function<bool(std::string_view)>& is_own);

}  // namespace awend::base
