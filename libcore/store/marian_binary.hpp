// Models in version 1 of the binary format of Marian.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/unit/store/marian_writer_test.cpp,
// tests/fuzz/foreign_files_test.cpp.
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

/// An array to be written as F32; or as I8: integers of -127 to 127 and their multiplier, 127
/// divided by the largest magnitude of the array.
struct MarianArray {
  StreamedArray values;
  Type type = Type::F32;
};

/// Who reads a file: Marian and its fork for browsers have different numbers for the same integers.
enum class MarianDialect { kMarian, kBrowser };

/// Writes a file of arrays with two sizes, as Marian expects them.  An array of I8 is made twice,
/// and only its integers are in memory.  Requires: its values are finite.
void write_marian_binary(const std::string& path, std::span<const MarianArray> arrays,
                         const std::string& settings,
                         MarianDialect dialect = MarianDialect::kMarian);

/// The text of `special:model.yml`, which is padded with NUL.
std::string marian_settings(const StridedArray& array);

}  // namespace awend::store
