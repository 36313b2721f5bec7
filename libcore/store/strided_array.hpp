// Arrays in the files of other programs: any element type, and any order in memory.
//
// Test: tests/unit/store/foreign_containers_test.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/array.hpp"

namespace awend::store {

/// Element (i, j, …) is at i * strides[0] + j * strides[1] + …, in elements.  Without strides, the
/// order is row-major.  `bytes` is a view, whose lifetime the creator of the array defines.
struct StridedArray {
  Type type = Type::F32;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> strides;
  std::span<const std::byte> bytes;
};

using StridedArrays = std::map<std::string, StridedArray, std::less<>>;

/// Throws Error unless all elements lie within `bytes`, and do not overlap: an array with a stride
/// of 0 would have any number of elements in a few bytes.
void require_within(const StridedArray& array);

/// The elements in row-major order, converted to F32.  Requires: require_within().
std::vector<float> to_floats(const StridedArray& array);

/// Throws Error if the bytes are the text that Git stores in place of a large file.
void refuse_lfs_pointer(std::span<const std::byte> file);

/// The value of an IEEE 754 number with 16 bits.
float half_to_float(std::uint16_t bits);

}  // namespace awend::store
