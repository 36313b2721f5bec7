// Distinct texts with how often each came, in the order of their first coming: the words of a text,
// or the pieces that it was cut into.  One string holds the bytes, so a text costs about 40 bytes
// beside its own.  Test: tests/unit/text/ordered_counts_test.cpp.
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
  /// As if everything that `later` was given came now.
  void add_all(const OrderedCounts& later);

  std::size_t size() const { return entries_.size(); }
  /// The text that came in the place `number`; the view holds until the next add().
  std::string_view text(std::size_t number) const;
  std::uint64_t count(std::size_t number) const { return entries_[number].count; }
  /// The numbers by falling count; among equals by first coming.
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
