// Room in the caches of a device, handed out by the host: pages of the self-attention cache, and
// ranges of the cross-attention cache.  Nothing here touches a device.
//
// Test: tests/unit/decode/pages_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace awend::decode {

/// Pages of kRows cache rows each.  A sentence reserves the most it can need before it begins, so
/// that it never waits for a page in the middle of its search; it takes and gives back pages one by
/// one.
class PagePool {
 public:
  static constexpr std::uint32_t kRows = 16;
  /// Pages that hold `rows` rows.
  static std::uint32_t pages_for(std::uint64_t rows);

  explicit PagePool(std::uint32_t pages);

  /// Sets `pages` aside; false, and nothing done, where fewer are left.
  bool reserve(std::uint32_t pages);
  void release(std::uint32_t pages);
  /// A page of those that the caller has reserved.
  std::uint32_t take();
  void give_back(std::uint32_t page);

  std::uint32_t unreserved() const { return unreserved_; }

 private:
  std::vector<std::uint32_t>
      free_;  // the last one is taken next, so that the same ones stay in use
  std::uint32_t pages_;
  std::uint32_t unreserved_;
};

/// Ranges of consecutive rows, from a pool of so many: the first gap that is long enough is taken.
class RangePool {
 public:
  explicit RangePool(std::uint32_t rows);

  /// Where a range of `length` > 0 rows begins; nothing where no gap is that long.
  std::optional<std::uint32_t> take(std::uint32_t length);
  void give_back(std::uint32_t begin, std::uint32_t length);

 private:
  std::map<std::uint32_t, std::uint32_t> gaps_;  // begin -> end; never two that touch
};

}  // namespace awend::decode
