// Writing safetensors files atomically: a file appears under its name when it is complete, or not
// at all.
//
// Equal arrays and metadata give equal bytes.  The header is padded with spaces so that the first
// array starts at a multiple of 64 bytes.  It contains digests of arrays and metadata (see
// store/digest.hpp), which are known last: the header is written twice, with the same length. Test:
// tests/unit/store/array_writer_test.cpp.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/spill.hpp"
#include "store/array.hpp"
#include "store/array_file.hpp"
#include "store/digest.hpp"

namespace awend::store {

/// Writes arrays one after another, for callers that create each array when it is needed.
class ArrayWriter {
 public:
  /// Declares all arrays, whose `bytes` are ignored, and writes the header.  Throws Error naming
  /// the file if two arrays have the same name, if a text is not UTF-8, or if the file cannot be
  /// written.
  ArrayWriter(const std::string& path, std::span<const Array> layout, Metadata metadata);

  /// Writes bytes of the next array.  Their total number must be as declared.
  void write(std::span<const std::byte> bytes);

  /// The digest of the arrays, which will be in the header.  Requires: all bytes were written.
  std::string digest() const;

  /// Renames the file to its name; the last call.  Without it, no file remains.
  void commit();

 private:
  std::string header(const std::string& array_digest) const;
  void put(std::string_view bytes);
  void begin_arrays();

  base::OutputFile file_;
  std::vector<Array> layout_;
  Metadata metadata_;
  ArrayDigest digest_;
  std::size_t begun_ = 0;               // arrays of the layout
  std::uint64_t array_bytes_left_ = 0;  // of the last array begun
  std::uint64_t bytes_left_ = 0;        // of all arrays
  // A pipe cannot be overwritten: the whole file is stored until the digest is known, in memory or,
  // if it is large, in a temporary file.
  base::SpillResource memory_;
  std::pmr::vector<char> kept_{&memory_};
};

/// Writes all arrays without copying them.  Arrays of wider elements come first, so that each is
/// aligned when the file is mapped; otherwise the order is kept.
void write_arrays(const std::string& path, std::span<const Array> arrays, const Metadata& metadata);

}  // namespace awend::store
