// A file as memory, read-only.  Test: tests/unit/base/mapped_file_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace awend::base {

/// A regular file mapped into memory as long as the object lives.  The bytes stay where they are
/// when the object moves.  The file must not be shortened meanwhile (see report_lost_files());
/// awend's own writers never do that: they replace a file by renaming.
class MappedFile {
 public:
  /// Throws Error naming the file if it cannot be opened, or is a folder or a pipe.
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

/// From now on, reading a mapped file that was truncated, or that its disk cannot deliver, ends the
/// process with status 1 and one line on stderr, `TOOL: PATH: was truncated while in use`, instead
/// of the signal SIGBUS.  For main(), before any file is mapped.
void report_lost_files(const std::string& tool);

/// Takes what was touched of a mapped file off this process's account: the pages stay in the
/// system's cache, and come back when they are touched again.
void forget_mapped(std::span<const std::byte> bytes);

}  // namespace awend::base
