// Files and pipes.  Every call is checked: an Error contains the name of the file and the error of
// the system.
//
// Only this module interprets "-" as standard input or output.  Input compressed with gzip or zstd
// is decompressed.  Test: tests/unit/base/files_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/decompressor.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/signals.hpp"
#include "base/temporary_names.hpp"

namespace awend::base {

/// The reader of the output has closed it.  This is not a failure; run_tool ends silently.
class ClosedPipe : public std::exception {};

/// Bytes from a file, a pipe or standard input, decompressed if they begin as gzip or zstd.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  /// Reads `bytes`, which must outlive the object, instead of a file of this name.
  InputFile(std::string name, std::string_view bytes);
  /// Waits for input and returns what is available; 0 at the end.  Error naming the file if
  /// compressed data are damaged or truncated.
  std::size_t read(char* buffer, std::size_t capacity_bytes);
  /// True if read() would have to wait for a writer.
  bool waits() const;
  /// The number of bytes read from the file, before decompression.
  std::uint64_t position_bytes() const { return position_bytes_; }
  /// The path, or "stdin".
  const std::string& name() const { return name_; }
  /// A reasonable size for the buffer of a reader.
  std::size_t chunk_bytes() const;

 private:
  bool is_in_memory() const { return fd_ < 0; }
  std::size_t read_now(char* buffer, std::size_t capacity_bytes);
  void look_at_beginning();
  bool fill_raw();
  std::size_t decompress(char* buffer, std::size_t capacity_bytes);
  Decompressor::Step decompress_step(std::span<char> out);

  std::string name_;
  Descriptor owned_;
  int fd_;
  std::string_view memory_;  // the bytes not yet read, without a file
  std::uint64_t position_bytes_ = 0;
  bool looked_ = false;
  std::unique_ptr<Decompressor> decompressor_;  // null: not compressed
  std::string raw_;                             // bytes read but not yet returned or decompressed
  std::size_t raw_begin_ = 0;
};

/// A file that is written completely or not at all: commit() syncs a temporary file next to the
/// target and renames it; without commit() it is removed.  An existing file keeps its mode and, if
/// the system permits it, its owner; a symbolic link keeps pointing to it.  Standard output,
/// devices, pipes and the places listed in base/output_place.hpp are written directly, and keep
/// what was written before a failure.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Appends to `path` directly; creates the file if it does not exist.
  static std::unique_ptr<OutputFile> append_to(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  /// Writes the buffered bytes.
  void flush();
  /// Whether overwrite() is possible; false if the output is written directly.
  bool can_overwrite() const { return !temporary_.empty(); }
  /// Replaces bytes that were written before, at `offset` bytes from the beginning.
  void overwrite(std::uint64_t offset, std::string_view bytes);
  /// Flushes, and renames the file to its target.  Must be the last call.
  void commit();
  /// True for a regular file without contents: a program that rotates logs may have emptied it.
  bool is_empty() const;
  /// Whether the output is a terminal.
  bool is_terminal() const;
  /// Whether the output is standard output and a pipe.
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
  std::optional<TemporaryName> remembered_;
  Descriptor owned_;
  int fd_ = -1;
  std::string buffer_;
};

/// Makes the name of a file survive a crash of the system.
void sync_directory_of(const std::string& path);

/// The sum of the sizes of the files ("-": standard input); 0 if it is unknown because one is not a
/// regular file.
std::uint64_t bytes_to_read(std::span<const std::string> paths);

/// Limits for files that are read as a whole: a wrong or hostile file, such as /dev/zero, must not
/// exhaust memory.  Settings are written by people; vocabularies, codes and models are not.
inline constexpr std::uint64_t kMaxSettingsBytes = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMaxModelBytes = std::uint64_t{256} << 20;

/// What messages call an input: the path, or "stdin" for "-".
std::string input_name(const std::string& path);

/// All bytes of a file ("-": standard input), decompressed.  Error naming the file if there are
/// more than `max_bytes`.
std::string read_file(const std::string& path, std::uint64_t max_bytes);

/// Throws Error: the input `name` has more bytes than the limit for its kind.
[[noreturn]] void fail_too_long(std::string_view name, std::uint64_t max_bytes);

}  // namespace awend::base
