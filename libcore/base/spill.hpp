// Memory that continues in a temporary file: the heap up to a budget, then an unnamed mapped file,
// which the system can write out and read back.
//
// It is for std::pmr containers of unknown size.  Test: tests/unit/base/spill_test.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <string>

namespace awend::base {

class SpillResource : public std::pmr::memory_resource {
 public:
  /// Files are created in `directory`, and do not outlive the process.
  SpillResource(std::size_t budget_bytes, std::string directory)
      : budget_bytes_(budget_bytes), directory_(std::move(directory)) {}
  ~SpillResource() override;

  /// The bytes on the heap and in files.
  std::size_t heap_bytes() const { return heap_bytes_; }
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  void* map_file(std::size_t bytes) const;

  const std::size_t budget_bytes_;
  const std::string directory_;
  std::mutex mutex_;
  std::size_t heap_bytes_ = 0, file_bytes_ = 0;
  std::map<void*, std::size_t> mapped_;  // allocations in files, by address
};

/// An unnamed file in `directory`, which exists until it is closed.
int open_unnamed_file(const std::string& directory);

/// $TMPDIR, or /tmp.
std::string temporary_directory();

}  // namespace awend::base
