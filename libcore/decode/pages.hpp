// Allocation of cache rows by the host: pages of the token cache, and ranges of the source cache.
// No device is involved.
//
// Test: tests/unit/decode/pages_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace awend::decode {

/// Pages of kRows cache rows each.  A sentence reserves the maximum that it can need before its
/// search starts, so that the search never waits; it then takes and returns single pages.
class PagePool {
 public:
  static constexpr std::uint32_t kRows = 16;
  /// The number of pages for `rows` rows.
  static std::uint32_t pages_for(std::uint64_t rows);

  explicit PagePool(std::uint32_t pages);

  /// Reserves `pages`, or returns false if fewer are available.
  bool reserve(std::uint32_t pages);
  void release(std::uint32_t pages);
  /// Requires: the caller has reserved a page.
  std::uint32_t take();
  void give_back(std::uint32_t page);

  std::uint32_t unreserved() const { return unreserved_; }

 private:
  std::vector<std::uint32_t> free_;  // the last one is taken next, so that few pages are used
  std::uint32_t pages_;
  std::uint32_t unreserved_;
};

/// Ranges of consecutive rows, by first fit.
class RangePool {
 public:
  explicit RangePool(std::uint32_t rows);

  /// The first row of a range of `length` > 0 rows; nothing if no gap is large enough.
  std::optional<std::uint32_t> take(std::uint32_t length);
  void give_back(std::uint32_t begin, std::uint32_t length);

 private:
  std::map<std::uint32_t, std::uint32_t> gaps_;  // begin -> end; adjacent gaps are merged
};

}  // namespace awend::decode
