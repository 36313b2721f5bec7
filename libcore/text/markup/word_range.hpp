// A range of words of a text.
#pragma once

#include <cstdint>

namespace awend::text {

/// The words [begin, end), counted from 0.
struct WordRange {
  std::uint32_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  std::uint32_t size() const { return end - begin; }
  bool has(std::uint32_t word) const { return word >= begin && word < end; }
  bool operator==(const WordRange&) const = default;
};

}  // namespace awend::text
