// A lock that allows one writer per directory; the system releases it when the owner ends for any
// reason.
//
// The lock is a flock() on the hidden file ".NAME.lock", which contains the process id and host of
// the owner for messages of other processes.  NFS clients of Linux forward it to the server. Test:
// tests/unit/base/directory_lock_test.cpp, tests/cli/train_directory.sh.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace awend::base {

class DirectoryLock {
 public:
  /// Throws Error naming `directory` and the owner if another process has the lock, or if the lock
  /// file cannot be created.
  DirectoryLock(std::string directory, std::string_view name);
  /// Removes the file.
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// False if the file system has no locks, so that nothing is guaranteed.
  bool is_effective() const { return is_effective_; }

 private:
  /// True once this process has the lock or the file system has no locks; false if the file was
  /// just removed.
  bool acquire();
  [[noreturn]] void fail_held(int file) const;

  std::string directory_, path_;
  Descriptor file_;
  bool is_effective_ = false;
};

}  // namespace awend::base
