// Copies of many large blocks of bytes that are needed one at a time, such as the arrays of a model
// that is converted: on the heap up to a budget, then in temporary files, whose pages are resident
// only while they are used.
//
// Test: tests/unit/base/spill_store_test.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/spill.hpp"

namespace awend::base {

class SpillStore {
 public:
  static constexpr std::size_t kBudgetBytes = std::size_t{64} << 20;

  explicit SpillStore(std::size_t budget_bytes = kBudgetBytes);
  ~SpillStore();
  SpillStore(SpillStore&& other) noexcept;
  SpillStore& operator=(SpillStore&& other) noexcept;

  /// A copy, valid as long as the object, also after it is moved; aligned for all numbers.
  std::span<const std::byte> keep(std::span<const std::byte> bytes);
  /// Releases the resident pages of all files.
  void forget() const;

 private:
  struct Block {
    std::span<std::byte> bytes;
    bool is_file;
  };
  std::unique_ptr<SpillResource> memory_;
  std::vector<Block> blocks_;
};

}  // namespace awend::base
