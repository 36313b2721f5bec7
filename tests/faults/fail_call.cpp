// Preloaded into a tool: makes one call of the C library fail, as a full or broken disk does.
//
//   AWEND_FAIL_BELOW  only files below this directory count
//   AWEND_FAIL_CALL   close, fsync, ftruncate, link, mkdir, mmap, open, pwrite, read, rename,
//                     symlink, unlink or write; allocate: mmap of memory without a file
//   AWEND_FAIL_AT     the call that fails, from 1; 0: none; "each": all, but only once in a row
//   AWEND_FAIL_ERRNO  with this error; 0: a read or write of one byte, which is not a failure;
//                     KILL, TERM or USR1: the process gets this signal before the call
//   AWEND_FAIL_COUNT  a file that gets one byte for each call, to know how many there are
//   AWEND_FAIL_DONE   a file that gets the name of each call that failed
//   AWEND_FAIL_LOG    a file that gets a line for each fsync and rename, in order
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

/// Appends to the file that the variable names, if any.
void append(const char* name, const std::string& text) {
  const auto path = variable(name);
  if (path.empty()) return;
  const int file = next<int (*)(const char*, int, ...)>("open")(
      path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  [[maybe_unused]] const auto written =
      next<ssize_t (*)(int, const void*, size_t)>("write")(file, text.data(), text.size());
  next<int (*)(int)>("close")(file);
}

std::string absolute(const std::string& path) {
  char here[PATH_MAX];
  if (path.starts_with('/') || ::getcwd(here, sizeof here) == nullptr) return path;
  return std::string(here) + "/" + path;
}

void log(const std::string& call, const std::string& path, const std::string& to = "") {
  if (is_below(path)) append("AWEND_FAIL_LOG", call + "\t" + path + "\t" + to + "\n");
}

/// Counts a call, and returns whether it is the one that fails.
bool fails(const char* call, const std::string& path) {
  static std::atomic<int> calls = 0;
  if (variable("AWEND_FAIL_CALL") != call || !is_below(path)) return false;
  const int number = ++calls;
  append("AWEND_FAIL_COUNT", "x");
  const auto at = variable("AWEND_FAIL_AT");
  if (at == "each" ? number % 2 == 0 : number != std::atoi(at.c_str())) return false;
  const auto error = variable("AWEND_FAIL_ERRNO");
  append("AWEND_FAIL_DONE", std::string(call) + "\n");
  if (error == "KILL" || error == "TERM" || error == "USR1") {
    ::kill(::getpid(), error == "KILL" ? SIGKILL : error == "TERM" ? SIGTERM : SIGUSR1);
    return false;
  }
  errno = std::atoi(error.c_str());
  return true;
}

/// Whether the call that fails is one that transfers less than requested.
bool is_short() {
  return errno == 0;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  if (fails("write", path_of(file))) {
    if (!is_short()) return -1;
    size = std::min<size_t>(size, 1);
  }
  return next<ssize_t (*)(int, const void*, size_t)>("write")(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  if (fails("pwrite", path_of(file))) {
    if (!is_short()) return -1;
    size = std::min<size_t>(size, 1);
  }
  return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(file, bytes, size, offset);
}

ssize_t read(int file, void* bytes, size_t size) {
  if (fails("read", path_of(file))) {
    if (!is_short()) return -1;
    size = std::min<size_t>(size, 1);
  }
  return next<ssize_t (*)(int, void*, size_t)>("read")(file, bytes, size);
}

int fsync(int file) {
  const auto path = path_of(file);
  if (fails("fsync", path)) return -1;
  log("fsync", path);
  return next<int (*)(int)>("fsync")(file);
}

// The descriptor is closed in spite of the error, as Linux does.
int close(int file) {
  const bool has_failed = fails("close", path_of(file));
  const int error = errno;
  const int status = next<int (*)(int)>("close")(file);
  if (!has_failed) return status;
  errno = error;
  return -1;
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fails("mkdir", path)) return -1;
  return next<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

int link(const char* from, const char* to) noexcept {
  if (fails("link", to)) return -1;
  return next<int (*)(const char*, const char*)>("link")(from, to);
}

int ftruncate(int file, off_t size) noexcept {
  if (fails("ftruncate", path_of(file))) return -1;
  return next<int (*)(int, off_t)>("ftruncate")(file, size);
}

int rename(const char* from, const char* to) noexcept {
  if (fails("rename", to)) return -1;
  struct stat status;
  // The destination of a symbolic link has its own name.
  if (::lstat(from, &status) == 0 && !S_ISLNK(status.st_mode))
    log("rename", absolute(from), absolute(to));
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
  // The C library maps its own memory without this function.
  const bool has_failed =
      file >= 0 ? fails("mmap", path_of(file)) : fails("allocate", variable("AWEND_FAIL_BELOW"));
  if (has_failed) return MAP_FAILED;
  return next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(address, size, protection,
                                                                      flags, file, offset);
}
}
