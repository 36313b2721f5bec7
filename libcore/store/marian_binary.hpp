// Models in version 1 of the binary format of Marian.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "store/streamed_array.hpp"
#include "store/strided_array.hpp"

namespace awend::store {

struct MarianItems {
  /// Views of the file.  A quantized matrix of the original shape (rows, columns) is column-major,
  /// except embeddings.
  StridedArrays arrays;
  /// What an integer of a quantized array is multiplied with.
  std::map<std::string, float, std::less<>> factors;
  /// The model's settings in YAML.
  std::string settings;
};

bool looks_like_marian_binary(std::span<const std::byte> bytes);

/// Throws Error naming the array that is damaged, or stored in a layout for certain processors.
MarianItems read_marian_binary(std::span<const std::byte> bytes);

/// Writes a file of arrays with the two sizes that Marian expects.
void write_marian_binary(const std::string& path, std::span<const StreamedArray> arrays,
                         const std::string& settings);

/// The text of `special:model.yml`, which is padded with NUL.
std::string marian_settings(const StridedArray& array);

}  // namespace awend::store
