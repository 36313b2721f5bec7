#include "base/output_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // the limit of Linux

/// `path` with all links of its directory resolved, but not the last component.
fs::path with_real_directory(const fs::path& path) {
  std::error_code error;
  const auto directory = fs::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  return error ? path : directory / path.filename();
}

bool is_below(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) && path.substr(directory.size()).starts_with('/');
}

/// N of "/proc/PID/fd/N" if PID is this process.
std::optional<int> own_descriptor(const fs::path& path) {
  const auto directory = path.parent_path();
  if (directory.filename() != "fd") return std::nullopt;
  const auto process = directory.parent_path();
  // Threads have their own directories, which canonical() returns for /proc/thread-self.
  const auto own = concat("/proc/", static_cast<long>(::getpid()));
  if (process != own && !is_below(process.string(), own + "/task")) return std::nullopt;
  return find_number<int>(path.filename().string());
}

bool is_not_a_regular_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Whether a link is in a directory where everyone may create files, such as /tmp, and belongs to
// another user, who could lead the output to any file: Linux does not follow such links either.
bool is_of_stranger(const fs::path& link) {
  struct stat status {};
  struct stat directory {};
  if (::lstat(link.c_str(), &status) != 0 || ::stat(link.parent_path().c_str(), &directory) != 0)
    return false;
  constexpr mode_t kShared = S_ISVTX | S_IWOTH;
  return (directory.st_mode & kShared) == kShared && status.st_uid != ::geteuid() &&
         status.st_uid != directory.st_uid;
}

/// Whether a file system is mounted on a file, as containers do: no other file can take its place.
bool is_mounted(const std::string& file) {
  struct statx status {};
  return ::statx(AT_FDCWD, file.c_str(), 0, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Whether a file belongs to another user in a directory whose files only their owners replace.
bool is_kept(const fs::path& file) {
  struct stat status {};
  struct stat directory {};
  if (::lstat(file.c_str(), &status) != 0 || ::stat(file.parent_path().c_str(), &directory) != 0)
    return false;
  const auto user = ::geteuid();
  return (directory.st_mode & S_ISVTX) != 0 && user != 0 && status.st_uid != user &&
         directory.st_uid != user;
}

}  // namespace

OutputPlace find_output_place(const std::string& path) {
  fs::path place = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    place = with_real_directory(place);
    const auto text = place.string();
    const bool in_system = (is_below(text, "/dev") && !is_below(text, "/dev/shm"));
    std::error_code error;
    if (is_below(text, "/proc")) return {text, false, own_descriptor(place)};
    if (!fs::is_symlink(place, error)) {
      if (in_system || is_not_a_regular_file(text) || is_mounted(text))
        return {text, false, std::nullopt};
      if (is_kept(place)) fail_errno(path, EPERM);
      return {text, true, std::nullopt};
    }
    if (is_of_stranger(place)) fail_errno(path, EACCES);
    const auto target = fs::read_symlink(place, error);
    if (error) fail(path, ": ", error.message());
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  fail_errno(path, ELOOP);
}

}  // namespace awend::base
