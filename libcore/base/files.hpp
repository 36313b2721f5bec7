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

#include "base/decompressor.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace awend::base {

/// The reader of our output has gone: not a failure, but the end.  run_tool turns it into silence.
class ClosedPipe : public std::exception {};

/// A stop was asked for (see base/signals.hpp).  Thrown by reads, and by long loops that look for
/// it; what was being written is removed on the way out, and run_tool dies by the signal.
class Interrupted : public std::exception {};

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

/// A file that appears as a whole or not at all: written to a temporary file next to it, synced and
/// renamed by commit(), removed without it.  An existing file keeps its mode and, where the system
/// permits it, its owner; a symbolic link keeps pointing to it.  Standard output, devices, pipes
/// and what base/output_place.hpp lists are written directly; what was written to them before a
/// failure stays.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Adds to the end of `path`, directly, and creates the file if it does not exist.
  static std::unique_ptr<OutputFile> append_to(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  /// Hands everything written so far to the system.
  void flush();
  /// Whether overwrite() is possible; it is not where the output is written straight.
  bool can_overwrite() const { return !temporary_.empty(); }
  /// Replaces bytes that were written before, `offset` bytes after the beginning.
  void overwrite(std::uint64_t offset, std::string_view bytes);
  /// Flushes, and puts the file in its place.  The last call.
  void commit();
  /// Whether somebody watches what is written.
  bool is_terminal() const;
  /// Whether it is standard output and a pipe, so that another program reads it.
  bool is_piped_stdout() const;
  const std::string& name() const { return name_; }

 private:
  struct Append {};
  OutputFile(const std::string& path, Append);
  void replace(const std::string& target);
  void write_now(std::string_view bytes);
  void close();

  std::string name_;
  std::string target_;
  std::string temporary_;  // empty if the output is written directly
  Descriptor owned_;
  int fd_ = -1;
  std::string buffer_;
};

/// What there is to read in all of the files ("-": standard input); 0 if one is no regular file, so
/// that nobody knows.
std::uint64_t bytes_to_read(std::span<const std::string> paths);

/// Limits for files that are read as a whole: a wrong or hostile one, such as /dev/zero, must not
/// take all memory.  Settings are written by hand; vocabularies, codes and models are not.
inline constexpr std::uint64_t kMostSettingsBytes = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMostModelBytes = std::uint64_t{256} << 20;

/// All bytes of a file ("-": standard input), decompressed.  Error naming the file if there are
/// more than `most_bytes`.
std::string read_file(const std::string& path, std::uint64_t most_bytes);

/// Error that the input `name` has more bytes than are read of its kind, thrown.
[[noreturn]] void fail_too_long(std::string_view name, std::uint64_t most_bytes);

}  // namespace awend::base
