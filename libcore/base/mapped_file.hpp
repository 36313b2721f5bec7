// Files mapped into memory, read-only.  Test: tests/unit/base/mapped_file_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace awend::base {

/// A regular file that is mapped into memory while the object exists.  Moving the object does not
/// move the bytes.  The file must not be truncated meanwhile (see report_lost_files()); awend
/// never truncates files, but replaces them by renaming.
class MappedFile {
 public:
  /// Throws Error naming the file if it cannot be opened, or is a directory or a pipe.
  explicit MappedFile(std::string path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::string path_;
  std::span<const std::byte> bytes_;
};

/// After this call, reading a mapped file that was truncated, or that cannot be read from its disk,
/// ends the process with status 1 and one line on stderr, `TOOL: PATH: was truncated while in use`,
/// instead of the signal SIGBUS.  Must be called before any file is mapped.
void report_lost_files(const std::string& tool);

/// Releases the resident pages of a mapped file that `bytes` cover: they remain in the page cache
/// of the system, and are mapped again when they are accessed.
void forget_mapped(std::span<const std::byte> bytes);

}  // namespace awend::base
