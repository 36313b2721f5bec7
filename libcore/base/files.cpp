#include "base/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/signals.hpp"

namespace awend::base {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

int open_checked(const std::string& name, int flags) {
  const int fd = ::open(name.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) fail_errno(name, errno);
  return fd;
}

// A file that exists and is no regular file (a device, a named pipe) must be written, not replaced.
bool written_straight(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Replacing a symbolic link means replacing what it points to.
std::string resolve(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  return error ? path : resolved.string();
}

void sync_directory_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string name = parent.empty() ? "." : parent.string();
  const Descriptor directory(open_checked(name, O_RDONLY | O_DIRECTORY));
  // Some file systems cannot sync a directory and say EINVAL; the file itself is safe by then.
  if (::fsync(directory.get()) != 0 && errno != EINVAL) fail_errno(name, errno);
}

}  // namespace

void fail_errno(std::string_view name, int error_number) {
  fail(name, ": ", std::strerror(error_number));
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "stdin" : path),
      owned_(path == "-" ? -1 : open_checked(path, O_RDONLY)),
      fd_(path == "-" ? STDIN_FILENO : owned_.get()) {}

std::size_t InputFile::read(char* buffer, std::size_t capacity_bytes) {
  if (!looked_) look_at_beginning();
  if (decompressor_) return decompress(buffer, capacity_bytes);
  if (raw_.empty()) return read_now(buffer, capacity_bytes);
  const std::size_t count = raw_.copy(buffer, capacity_bytes, raw_begin_);
  raw_begin_ += count;
  if (raw_begin_ == raw_.size()) raw_ = {};
  return count;
}

// Waits for more bytes only while those that came could still begin a compressed file, so that a
// line from a terminal is answered at once.
void InputFile::look_at_beginning() {
  looked_ = true;
  Compression compression = Compression::kUndecided;
  while (compression == Compression::kUndecided && fill_raw()) compression = compression_of(raw_);
  decompressor_ = make_decompressor(compression);
}

// Reads on behind what is there; false at the end.
bool InputFile::fill_raw() {
  raw_.erase(0, std::exchange(raw_begin_, 0));
  const std::size_t size = raw_.size();
  raw_.resize(size + kBufferBytes);
  const std::size_t count = read_now(raw_.data() + size, kBufferBytes);
  raw_.resize(size + count);
  return count > 0;
}

std::size_t InputFile::decompress(char* buffer, std::size_t capacity_bytes) {
  while (true) {
    const auto step = decompress_step({buffer, capacity_bytes});
    raw_begin_ += step.taken;
    if (step.given > 0) return step.given;
    if (step.taken > 0 || fill_raw()) continue;
    if (!decompressor_->is_whole()) fail(name_, ": the compressed data end too early");
    return 0;
  }
}

Decompressor::Step InputFile::decompress_step(std::span<char> out) try {
  return decompressor_->step(std::span<const char>(raw_).subspan(raw_begin_), out);
} catch (const Error& error) {
  fail(name_, ": ", error.what());
}

std::size_t InputFile::read_now(char* buffer, std::size_t capacity_bytes) {
  while (stop_signal() == 0) {
    const ssize_t count = ::read(fd_, buffer, capacity_bytes);
    if (count >= 0) {
      position_bytes_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) fail_errno(name_, errno);
  }
  throw Interrupted();
}

bool InputFile::waits() const {
  if (raw_begin_ < raw_.size()) return false;
  pollfd request{fd_, POLLIN, 0};
  return ::poll(&request, 1, 0) == 0;
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "stdout" : path) {
  if (path == "-") {
    fd_ = STDOUT_FILENO;
    return;
  }
  const bool straight = written_straight(path);
  target_ = straight ? path : resolve(path);
  if (!straight) temporary_ = concat(target_, ".", static_cast<long>(::getpid()), ".tmp");
  const std::string& place = straight ? target_ : temporary_;
  fd_ = ::open(place.c_str(), O_WRONLY | O_CLOEXEC | (straight ? 0 : O_CREAT | O_TRUNC), 0666);
  if (fd_ < 0) {
    const int error_number = errno;
    temporary_.clear();
    fail_errno(name_, error_number);
  }
  owned_ = Descriptor(fd_);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    return;
  }
  try {
    flush();
  } catch (...) {
    // An error is already on its way; a second one could not be reported.
  }
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) return write_now(bytes);
  buffer_ += bytes;
}

void OutputFile::flush() {
  const std::string bytes = std::exchange(buffer_, {});
  write_now(bytes);
}

void OutputFile::write_now(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR) {
      fail_errno(name_, errno);
    }
  }
}

void OutputFile::commit() {
  flush();
  if (temporary_.empty()) return close();
  if (::fsync(fd_) != 0) fail_errno(name_, errno);
  close();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(name_, errno);
  temporary_.clear();
  sync_directory_of(target_);
}

bool OutputFile::is_terminal() const {
  return ::isatty(fd_) == 1;
}

// Network file systems report a full disk only here.  Standard output is closed through a copy, so
// that the descriptor's number stays taken.
void OutputFile::close() {
  const int fd = owned_.get() >= 0 ? owned_.release() : ::dup(fd_);
  if (fd < 0 || ::close(fd) != 0) fail_errno(name_, errno);
}

std::uint64_t bytes_to_read(std::span<const std::string> paths) {
  std::uint64_t sum_bytes = 0;
  for (const std::string& path : paths) {
    struct stat status;
    const bool known =
        (path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0;
    if (!known || !S_ISREG(status.st_mode)) return 0;
    // Standard input may have been read from before.
    const off_t begin = path == "-" ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    sum_bytes += static_cast<std::uint64_t>(std::max<off_t>(status.st_size - begin, 0));
  }
  return sum_bytes;
}

std::string read_file(const std::string& path) {
  InputFile file(path);
  std::string content;
  std::size_t size_bytes = 0;
  while (true) {
    content.resize(size_bytes + kBufferBytes + size_bytes / 2);
    const std::size_t count = file.read(content.data() + size_bytes, content.size() - size_bytes);
    size_bytes += count;
    if (count == 0) break;
  }
  content.resize(size_bytes);
  return content;
}

}  // namespace awend::base
