#include "base/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "base/output_place.hpp"
#include "base/signals.hpp"
#include "base/temporary_file.hpp"

namespace awend::base {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

// A FIFO opens only when another process opens it: throws Interrupted if a signal requests a stop.
int open_checked(const std::string& path, int flags, std::string_view name) {
  int fd = -1;
  while ((fd = ::open(path.c_str(), flags | O_CLOEXEC, 0666)) < 0) {
    if (errno != EINTR) fail_errno(name, errno);
    if (stop_signal() != 0) throw Interrupted();
  }
  return fd;
}

// A file that replaces another gets its owner and permissions.  Only root can change the owner.
// Other users keep the group if they are members of it, and lose the setuid bits.  File systems
// without owners or modes, such as FAT, refuse the call, and there is nothing to preserve.
void take_permissions_of(const std::string& target, int fd) {
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) return;
  constexpr auto kSame = static_cast<uid_t>(-1);
  const bool same_owner = ::fchown(fd, status.st_uid, status.st_gid) == 0;
  const bool same_group = same_owner || ::fchown(fd, kSame, status.st_gid) == 0;
  const mode_t kept = same_owner ? 07777 : same_group ? 0777 : 0707;
  if (::fchmod(fd, status.st_mode & kept) != 0 && errno != EPERM && errno != EOPNOTSUPP)
    fail_errno(target, errno);
}

// A descriptor may be non-blocking because another process that shares it set the flag.
bool would_block(int error_number) {
  return error_number == EAGAIN || error_number == EWOULDBLOCK;
}

// Returns early if a signal arrives.
void wait_until_ready(int fd, short events) {
  pollfd request{fd, events, 0};
  ::poll(&request, 1, -1);
}

// After a request to stop, output without a reader does not hold up the program for long.
void expect_reader(int fd) {
  constexpr int kPatienceMs = 5000;
  pollfd request{fd, POLLOUT, 0};
  if (::poll(&request, 1, kPatienceMs) == 0) throw Interrupted();
}

}  // namespace

void sync_directory_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string name = parent.empty() ? "." : parent.string();
  const Descriptor directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0 && errno == EACCES) return;  // files can be made there, but not listed
  if (directory.get() < 0) fail_errno(name, errno);
  // Some file systems cannot sync a directory and return EINVAL; the file itself is safe by then.
  if (::fsync(directory.get()) != 0 && errno != EINVAL) fail_errno(name, errno);
}

void fail_too_long(std::string_view name, std::uint64_t max_bytes) {
  fail(name, ": too long: more than ", max_bytes, " bytes, the limit for files of its kind");
}

InputFile::InputFile(const std::string& path)
    : name_(input_name(path)),
      owned_(path == "-" ? -1 : open_checked(path, O_RDONLY, name_)),
      fd_(path == "-" ? STDIN_FILENO : owned_.get()) {}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)), owned_(-1), fd_(-1), memory_(bytes) {}

std::size_t InputFile::chunk_bytes() const {
  constexpr std::size_t kMinBytes = 256;
  return is_in_memory() ? std::clamp(memory_.size(), kMinBytes, kBufferBytes) : kBufferBytes;
}

std::size_t InputFile::read(char* buffer, std::size_t capacity_bytes) {
  if (!looked_) look_at_beginning();
  if (decompressor_) return decompress(buffer, capacity_bytes);
  if (raw_.empty()) return read_now(buffer, capacity_bytes);
  const std::size_t count = raw_.copy(buffer, capacity_bytes, raw_begin_);
  raw_begin_ += count;
  if (raw_begin_ == raw_.size()) raw_ = {};
  return count;
}

// Waits for more bytes only while those read could still begin a compressed file, so that a line
// from a terminal is processed at once.
void InputFile::look_at_beginning() {
  looked_ = true;
  Compression compression = Compression::kUndecided;
  while (compression == Compression::kUndecided && fill_raw()) compression = compression_of(raw_);
  decompressor_ = make_decompressor(compression);
}

// Appends more bytes to those pending; false at the end.
bool InputFile::fill_raw() {
  raw_.erase(0, std::exchange(raw_begin_, 0));
  const std::size_t size = raw_.size();
  const std::size_t more = chunk_bytes();
  raw_.resize(size + more);
  const std::size_t count = read_now(raw_.data() + size, more);
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
  if (is_in_memory()) {
    const std::size_t count = memory_.copy(buffer, capacity_bytes);
    memory_.remove_prefix(count);
    position_bytes_ += count;
    return count;
  }
  while (stop_signal() == 0) {
    const ssize_t count = ::read(fd_, buffer, capacity_bytes);
    if (count >= 0) {
      position_bytes_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (would_block(errno)) {
      wait_until_ready(fd_, POLLIN);
    } else if (errno != EINTR) {
      fail_errno(name_, errno);
    }
  }
  throw Interrupted();
}

bool InputFile::waits() const {
  if (raw_begin_ < raw_.size() || is_in_memory()) return false;
  pollfd request{fd_, POLLIN, 0};
  return ::poll(&request, 1, 0) == 0;
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "stdout" : path) {
  if (path.empty()) fail_errno(path, ENOENT);
  if (path == "-") {
    fd_ = STDOUT_FILENO;
    return;
  }
  const auto place = find_output_place(path);
  if (place.replaces) {
    replace(place.path);
    return;
  }
  std::error_code ignored;
  const bool is_regular = std::filesystem::is_regular_file(place.path, ignored);
  fd_ = place.descriptor
            ? ::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0)
            : open_checked(place.path, O_WRONLY | (is_regular ? O_TRUNC : O_APPEND), name_);
  if (fd_ < 0) fail_errno(name_, errno);
  owned_ = Descriptor(fd_);
}

OutputFile::OutputFile(const std::string& path, Append)
    : name_(path),
      owned_(open_checked(path, O_WRONLY | O_APPEND | O_CREAT, path)),
      fd_(owned_.get()) {}

std::unique_ptr<OutputFile> OutputFile::append_to(const std::string& path) {
  return std::unique_ptr<OutputFile>(new OutputFile(path, Append()));
}

void OutputFile::replace(const std::string& target) {
  target_ = target;
  auto created = create_temporary(target, name_);
  temporary_ = std::move(created.path);
  remembered_.emplace(temporary_);
  owned_ = std::move(created.file);
  fd_ = owned_.get();
  try {
    take_permissions_of(target, fd_);
  } catch (...) {
    ::unlink(temporary_.c_str());
    throw;
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    return;
  }
  try {
    flush();
  } catch (...) {
    // Another exception is already being handled; a second error could not be reported.
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
    std::size_t size = bytes.size();
    if (temporary_.empty() && stop_signal() != 0) {
      expect_reader(fd_);
      size = std::min<std::size_t>(size, PIPE_BUF);  // a pipe that is ready takes that many at once
    }
    const ssize_t count = ::write(fd_, bytes.data(), size);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (would_block(errno)) {
      wait_until_ready(fd_, POLLOUT);
    } else if (errno != EINTR) {
      fail_errno(name_, errno);
    }
  }
}

void OutputFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  check(can_overwrite(), "only a temporary file is overwritten");
  flush();
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno != EINTR) fail_errno(name_, errno);
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void OutputFile::commit() {
  flush();
  if (temporary_.empty()) return close();
  if (::fsync(fd_) != 0) fail_errno(name_, errno);
  close();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(name_, errno);
  temporary_.clear();
  remembered_.reset();
  sync_directory_of(target_);
}

bool OutputFile::is_empty() const {
  struct stat status;
  return ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

bool OutputFile::is_terminal() const {
  return ::isatty(fd_) == 1;
}

bool OutputFile::is_piped_stdout() const {
  struct stat status;
  return fd_ == STDOUT_FILENO && ::fstat(fd_, &status) == 0 && S_ISFIFO(status.st_mode);
}

// Network file systems report a full disk only here.  Standard output is closed through a
// duplicate, so that the number of the descriptor stays in use.
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
    // Standard input may have been read before.
    const off_t begin = path == "-" ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    sum_bytes += static_cast<std::uint64_t>(std::max<off_t>(status.st_size - begin, 0));
  }
  return sum_bytes;
}

std::string input_name(const std::string& path) {
  return path == "-" ? "stdin" : path;
}

std::string read_file(const std::string& path, std::uint64_t max_bytes) {
  InputFile file(path);
  std::string content;
  std::size_t size_bytes = 0;
  while (true) {
    content.resize(size_bytes + kBufferBytes + size_bytes / 2);
    const std::size_t count = file.read(content.data() + size_bytes, content.size() - size_bytes);
    size_bytes += count;
    if (count == 0) break;
    if (size_bytes > max_bytes) fail_too_long(file.name(), max_bytes);
  }
  content.resize(size_bytes);
  return content;
}

}  // namespace awend::base
