// Writes a matrix of floats as an array of NumPy (format 1.0), row by row.
//
// The file begins with the number of rows, which is only known at the end.  Outputs that can be
// overwritten get it then; for others, the rows are kept in memory.  Test:
// tests/unit/store/npy_writer_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/files.hpp"

namespace awend::store {

/// The first bytes of a file for (rows, columns) of little-endian floats; always 128 bytes.
std::string npy_header(std::uint64_t rows, std::uint64_t columns);

class NpyWriter {
 public:
  /// `out` must outlive the object and be empty.
  NpyWriter(base::OutputFile& out, std::uint64_t columns);
  /// Requires: as many values as columns.
  void write(std::span<const float> row);
  /// Completes the file; OutputFile::commit() comes next.
  void finish();

 private:
  base::OutputFile& out_;
  std::uint64_t columns_;
  std::uint64_t rows_ = 0;
  std::string kept_;
};

}  // namespace awend::store
