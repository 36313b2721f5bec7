// Arrays of files that are larger than memory: each is made when it is written, in parts.
//
// Test: tests/unit/store/streamed_array_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/header.hpp"

namespace awend::store {

/// Receives the next numbers of an array, in row-major order.
using WriteFloats = std::function<void(std::span<const float>)>;

/// An array of fp32.
struct StreamedArray {
  std::string name;
  std::vector<std::uint64_t> shape;
  /// Calls its argument with parts, until all numbers of the shape are written.
  std::function<void(const WriteFloats&)> write;

  std::uint64_t size_bytes() const;
};

/// As store::write_arrays().
void write_arrays(const std::string& path, std::span<const StreamedArray> arrays,
                  const Metadata& metadata);

}  // namespace awend::store
