// Memory that goes on in a temporary file: the heap up to a budget, and then a file without a name,
// mapped, which the system may write out and bring back as it needs.
//
// It serves std::pmr containers whose size nobody knows beforehand.  Test:
// tests/unit/base/spill_test.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <string>

namespace awend::base {

class SpillResource : public std::pmr::memory_resource {
 public:
  /// Files stand in `folder`, and are gone with the process, however it ends.
  SpillResource(std::size_t budget_bytes, std::string folder)
      : budget_bytes_(budget_bytes), folder_(std::move(folder)) {}
  ~SpillResource() override;

  /// What stands on the heap and in files.
  std::size_t heap_bytes() const { return heap_bytes_; }
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  void* map_file(std::size_t bytes) const;

  const std::size_t budget_bytes_;
  const std::string folder_;
  std::mutex mutex_;
  std::size_t heap_bytes_ = 0, file_bytes_ = 0;
  std::map<void*, std::size_t> mapped_;  // what stands in files, by address
};

/// A file in `folder` that nobody else can see and that is gone once it is closed.
int open_unnamed_file(const std::string& folder);

/// $TMPDIR, or /tmp.
std::string temporary_folder();

}  // namespace awend::base
