// Files and pipes with every call checked: an Error names the file and says what the system said.
//
// "-" is standard input or output, here and nowhere else.  Input that gzip or zstd compressed is
// read as what it was before.  Test: tests/unit/base/files_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/decompressor.hpp"
#include "base/error.hpp"

namespace awend::base {

/// The reader of our output has gone: not a failure, but the end.  run_tool turns it into silence.
class ClosedPipe : public std::exception {};

/// A stop was asked for (see base/signals.hpp).  Thrown by reads, and by long loops that look for
/// it; what was being written is removed on the way out, and run_tool dies by the signal.
class Interrupted : public std::exception {};

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Bytes from a file, a pipe or standard input, decompressed where their beginning says gzip or
/// zstd.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  /// Waits until there is something, then takes what there is; 0 at the end.  Error naming the file
  /// if compressed data are damaged, or end too early.
  std::size_t read(char* buffer, std::size_t capacity_bytes);
  /// True when read() would have to wait for a writer.
  bool waits() const;
  /// How much of the file itself was read so far, compressed as it is.
  std::uint64_t position_bytes() const { return position_bytes_; }
  /// The path, or "stdin".
  const std::string& name() const { return name_; }

 private:
  std::size_t read_now(char* buffer, std::size_t capacity_bytes);
  void look_at_beginning();
  bool fill_raw();
  std::size_t decompress(char* buffer, std::size_t capacity_bytes);
  Decompressor::Step decompress_step(std::span<char> out);

  std::string name_;
  Descriptor owned_;
  int fd_;
  std::uint64_t position_bytes_ = 0;
  bool looked_ = false;
  std::unique_ptr<Decompressor> decompressor_;  // null: the bytes are what they are
  std::string raw_;                             // what was read and not yet given out or taken
  std::size_t raw_begin_ = 0;
};

/// A file that appears whole or not at all: written beside its place, synced and renamed by
/// commit(), removed without. Standard output, devices and pipes are written straight; what was
/// written to them before a failure stays.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  /// Hands everything written so far to the system.
  void flush();
  /// Flushes, and puts the file in its place.  The last call.
  void commit();
  /// Whether somebody watches what is written.
  bool is_terminal() const;
  const std::string& name() const { return name_; }

 private:
  void write_now(std::string_view bytes);
  void close();

  std::string name_;
  std::string target_;
  std::string temporary_;  // empty where the output is written straight
  Descriptor owned_;
  int fd_ = -1;
  std::string buffer_;
};

/// What there is to read in all of the files ("-": standard input); 0 if one is no regular file, so
/// that nobody knows.
std::uint64_t bytes_to_read(std::span<const std::string> paths);

/// All bytes of a file ("-": standard input).
std::string read_file(const std::string& path);

/// Error "name: what the system says of errno", thrown.
[[noreturn]] void fail_errno(std::string_view name, int error_number);

}  // namespace awend::base
