// Writes a safetensors file, atomically: it appears under its name when it is whole, or not at all.
//
// The same arrays and metadata give the same bytes.  The header is padded with spaces so that the
// first array starts at a multiple of 64 bytes.  Test: tests/unit/store/array_writer_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "store/array.hpp"
#include "store/array_file.hpp"

namespace awend::store {

/// Writes arrays one after another, for a caller who makes each only when its turn comes.
class ArrayWriter {
 public:
  /// Announces all arrays, whose `bytes` are not looked at, and writes the header.  Throws Error
  /// naming the file if two arrays have one name, if a text is not UTF-8, or if the file cannot be
  /// written.
  ArrayWriter(const std::string& path, std::span<const Array> layout, const Metadata& metadata);

  /// Writes bytes of the next array, or the next part of them.  In the end there must be as many as
  /// were announced.
  void write(std::span<const std::byte> bytes);

  /// Puts the file in its place.  Without this call nothing is left behind.
  void commit();

 private:
  base::OutputFile file_;
  std::uint64_t missing_bytes_ = 0;
};

/// Writes all arrays from where they lie; no copy is made.  Those of wider elements come first, so
/// that each is aligned when the file is mapped; otherwise the order is kept.
void write_arrays(const std::string& path, std::span<const Array> arrays, const Metadata& metadata);

}  // namespace awend::store
