// Memory of the device of an engine, and copies in it.
//
// Test: tests/kernels/processor_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "nn/engine.hpp"
#include "nn/limits.hpp"
#include "vulkan/range.hpp"

namespace awend::vulkan {
class Arena;
class ByteCount;
class Recording;
}  // namespace awend::vulkan

namespace awend::nn {

/// `size_bytes` of memory.  On the processor, all kinds are the same, and the memory is zero.
class Memory {
 public:
  /// Throws LimitError if the device lacks the memory, naming the settings to `reduce`.
  Memory(Engine& engine, vulkan::MemoryKind kind, std::uint64_t size_bytes,
         Reducible reduce = kSmallerBatch);
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) = delete;
  ~Memory();

  /// A range must not cross a multiple of the device's allocation_bytes.
  vulkan::Range range(std::uint64_t offset, std::uint64_t size_bytes) const;
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// On the processor, takes large pages from the system: fewer page faults, but a page that is
  /// only partly used takes all its memory.
  void expect_all_used() const;

 private:
  struct Unmap {
    std::size_t size_bytes;
    void operator()(std::byte* begin) const;
  };
  std::uint64_t size_bytes_;
  std::unique_ptr<vulkan::Arena> arena_;
  std::unique_ptr<std::byte, Unmap> bytes_;   // on the processor
  std::unique_ptr<vulkan::ByteCount> share_;  // likewise
};

/// Copies between ranges, recorded once and run as often as needed.
class Transfer {
 public:
  explicit Transfer(Engine& engine);
  ~Transfer();

  /// Of equal sizes.
  void copy(const vulkan::Range& from, const vulkan::Range& to);
  /// Sets every 32-bit word.
  void fill(const vulkan::Range& range, std::uint32_t word);
  /// What follows sees the results of what is before.
  void barrier();

  /// Runs all after the work that was submitted earlier.  Does not wait.
  void submit();
  /// Waits until what was submitted has ended, at most `nanoseconds`.  Returns whether it has.
  bool wait(std::uint64_t nanoseconds = UINT64_MAX);
  /// submit() and wait().
  void run();

 private:
  struct Step {
    std::byte* to;
    const std::byte* from;  ///< Null: `word` is stored.
    std::uint64_t size_bytes;
    std::uint32_t word;
  };
  std::unique_ptr<vulkan::Recording> recording_;  // null on the processor
  std::vector<Step> steps_;
};

/// Both copy in pieces and wait until the copy has ended.
void upload(Engine& engine, std::span<const std::byte> bytes, const vulkan::Range& to);
void download(Engine& engine, const vulkan::Range& from, std::span<std::byte> bytes);

}  // namespace awend::nn
