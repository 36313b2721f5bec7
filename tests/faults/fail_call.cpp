// Preloaded into a tool: makes one call of the C library fail, as a full or broken disk does.
//
//   AWEND_FAIL_BELOW  only files below this directory count
//   AWEND_FAIL_CALL   read, write, fsync, rename, open, mmap, symlink, ftruncate or unlink
//   AWEND_FAIL_AT     the call that fails, from 1; 0: none
//   AWEND_FAIL_ERRNO  with this error
//   AWEND_FAIL_COUNT  a file that gets one byte for each call, to know how many there are
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool is_below(const std::string& path) {
  const auto directory = variable("AWEND_FAIL_BELOW");
  if (directory.empty()) return false;
  if (!path.starts_with('/')) {
    char here[PATH_MAX];
    return ::getcwd(here, sizeof here) != nullptr && std::string(here).starts_with(directory);
  }
  return path.starts_with(directory);
}

std::string path_of(int file) {
  char path[PATH_MAX];
  const auto link = "/proc/self/fd/" + std::to_string(file);
  const auto size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}

/// Counts a call, and returns whether it is the one that fails.
bool fails(const char* call, const std::string& path) {
  static std::atomic<int> calls = 0;
  if (variable("AWEND_FAIL_CALL") != call || !is_below(path)) return false;
  const int number = ++calls;
  if (const auto count = variable("AWEND_FAIL_COUNT"); !count.empty()) {
    const int file = next<int (*)(const char*, int, ...)>("open")(
        count.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    [[maybe_unused]] const auto written =
        next<ssize_t (*)(int, const void*, size_t)>("write")(file, "x", 1);
    ::close(file);
  }
  if (number != std::atoi(variable("AWEND_FAIL_AT").c_str())) return false;
  errno = std::atoi(variable("AWEND_FAIL_ERRNO").c_str());
  return true;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (fails("write", path_of(file))) return -1;
  return next<ssize_t (*)(int, const void*, size_t)>("write")(file, bytes, size);
}

ssize_t read(int file, void* bytes, size_t size) {
  if (fails("read", path_of(file))) return -1;
  return next<ssize_t (*)(int, void*, size_t)>("read")(file, bytes, size);
}

int fsync(int file) {
  if (fails("fsync", path_of(file))) return -1;
  return next<int (*)(int)>("fsync")(file);
}

int ftruncate(int file, off_t size) noexcept {
  if (fails("ftruncate", path_of(file))) return -1;
  return next<int (*)(int, off_t)>("ftruncate")(file, size);
}

int rename(const char* from, const char* to) noexcept {
  if (fails("rename", to)) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  if (fails("unlink", path)) return -1;
  return next<int (*)(const char*)>("unlink")(path);
}

int symlink(const char* destination, const char* path) noexcept {
  if (fails("symlink", path)) return -1;
  return next<int (*)(const char*, const char*)>("symlink")(destination, path);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);
  va_end(more);
  if (fails("open", path)) return -1;
  return next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if (file >= 0 && fails("mmap", path_of(file))) return MAP_FAILED;
  return next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(address, size, protection,
                                                                      flags, file, offset);
}
}
