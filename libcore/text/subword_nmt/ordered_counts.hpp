// Distinct texts with their counts, in order of first occurrence: the words of a text, or its
// pieces.  One string contains all bytes, so a text costs about 40 bytes in addition to its own.
// Test: tests/unit/text/subword_nmt/ordered_counts_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

class OrderedCounts {
 public:
  OrderedCounts();

  void add(std::string_view text, std::uint64_t count = 1);

  std::size_t size() const { return entries_.size(); }
  /// The text with this number; the view is valid until the next add().
  std::string_view text(std::size_t number) const;
  std::uint64_t count(std::size_t number) const { return entries_[number].count; }
  /// The numbers by decreasing count; equal counts by first occurrence.
  std::vector<std::size_t> by_count() const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::size_t begin;  // in bytes_; the next entry's begin is its end
    std::uint64_t count;
  };
  void grow();

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t>
      slots_;  // number + 1, or 0; a power of two, at most half of them taken
};

}  // namespace awend::text
