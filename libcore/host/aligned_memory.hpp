// Memory of operands in the order in which products read them.
//
// Test: tests/unit/host/aligned_memory_test.cpp.
#pragma once

#include <cstddef>
#include <memory>

namespace awend::host {

/// Bytes at a multiple of 64, whose first values are unspecified.  Large blocks have large pages
/// where the system has them: a page is zeroed and entered in a table when it is touched first,
/// which takes long for many small ones.
class AlignedMemory {
 public:
  /// Throws std::bad_alloc.
  explicit AlignedMemory(std::size_t size_bytes);

  template <class Number>
  Number* as() const {
    return reinterpret_cast<Number*>(bytes_.get());
  }

 private:
  struct Free {
    std::size_t mapped_bytes;  ///< 0: of the heap.
    void operator()(std::byte* begin) const;
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

/// Aligned memory that grows, for operands of one product after the other.
class Scratch {
 public:
  /// Of `count` numbers, whose values are unspecified.  Throws std::bad_alloc.
  template <class Number>
  Number* numbers(std::size_t count) {
    if (const std::size_t needed = sizeof(Number) * count; needed > size_bytes_) {
      memory_ = AlignedMemory(needed);
      size_bytes_ = needed;
    }
    return memory_.as<Number>();
  }

 private:
  AlignedMemory memory_{0};
  std::size_t size_bytes_ = 0;
};

}  // namespace awend::host
