// Arrays of NumPy: one in a .npy file, several in an .npz archive.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/spill_store.hpp"
#include "store/strided_array.hpp"

namespace awend::store {

/// The array in the bytes of a .npy file, as a view of them.  Throws Error for other bytes, and for
/// elements that are not little-endian numbers.
StridedArray read_npy(std::span<const std::byte> bytes);

/// The arrays of an archive by name, without ".npy".
class NpzFile {
 public:
  /// Throws Error naming the array that is damaged.
  explicit NpzFile(std::span<const std::byte> bytes);
  const StridedArrays& arrays() const { return arrays_; }
  /// Releases the resident pages of its temporary files.
  void forget() const { entries_.forget(); }

 private:
  base::SpillStore entries_;
  StridedArrays arrays_;
};

}  // namespace awend::store
