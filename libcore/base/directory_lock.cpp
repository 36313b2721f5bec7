#include "base/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/error.hpp"

namespace awend::base {
namespace {

std::string description_of_this_process() {
  std::array<char, 256> host{};
  const bool known = ::gethostname(host.data(), host.size() - 1) == 0;
  return concat("process ", static_cast<long>(::getpid()), " on host ",
                known ? host.data() : "unknown");
}

/// Whether `path` is still the name of the open file: the last owner of the lock may have removed
/// it.
bool is_named(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/// Whether all of the text is written at the beginning of the file; otherwise errno is the reason.
bool writes(int file, std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count =
        ::pwrite(file, text.data() + written, text.size() - written, static_cast<off_t>(written));
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

DirectoryLock::DirectoryLock(std::string directory, std::string_view name)
    : directory_(std::move(directory)),
      path_((std::filesystem::path(directory_) / concat(".", name, ".lock")).string()) {
  while (!acquire()) {
  }
}

bool DirectoryLock::acquire() {
  Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) fail_errno(path_, errno);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) fail_held(file.get());
    if (errno == EINTR) return false;
  } else if (!is_named(file.get(), path_)) {
    return false;
  } else {
    is_effective_ = true;
  }
  const auto text = description_of_this_process();
  if (::ftruncate(file.get(), 0) != 0 || !writes(file.get(), text)) {
    const int error_number = errno;
    ::unlink(path_.c_str());
    fail_errno(path_, error_number);
  }
  file_ = std::move(file);
  return true;
}

void DirectoryLock::fail_held(int file) const {
  std::array<char, 512> text{};
  const auto count = ::pread(file, text.data(), text.size(), 0);
  std::string holder(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (holder.empty()) holder = "another process";
  fail(directory_, ": is in use by ", holder);
}

DirectoryLock::~DirectoryLock() {
  if (file_.get() >= 0) ::unlink(path_.c_str());
}

}  // namespace awend::base
