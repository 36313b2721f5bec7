// Zip archives, in which NumPy and PyTorch store arrays.  The only user of libzip.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace awend::store {

/// An archive in memory, which must outlive the object.
class ZipArchive {
 public:
  /// Throws Error if the bytes are not a zip archive, or if its directory is damaged.
  explicit ZipArchive(std::span<const std::byte> bytes);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  static bool looks_like_archive(std::span<const std::byte> bytes);

  /// The names of the entries, in their order.
  const std::vector<std::string>& names() const { return names_; }
  /// The bytes of an entry.  Throws Error if it is damaged, encrypted, or larger than an entry of
  /// weights can be in relation to the archive.
  std::vector<std::byte> read(std::size_t entry);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::vector<std::string> names_;
  std::uint64_t bytes_left_ = 0;  // that entries may have
};

}  // namespace awend::store
