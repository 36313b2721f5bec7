// Files of torch.save(): zip archives, and the older form of concatenated pickles.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/spill_store.hpp"
#include "store/pickle.hpp"
#include "store/strided_array.hpp"
#include "store/zip_archive.hpp"

namespace awend::store {

/// The bytes must outlive the object.
class TorchFile {
 public:
  /// Throws Error for a file that is damaged, truncated, or not of torch.save().
  explicit TorchFile(std::span<const std::byte> bytes);

  static bool looks_like_torch(std::span<const std::byte> bytes);

  const Pickle& pickle() const { return *pickle_; }
  /// Whether the value is a tensor or a parameter.
  bool is_tensor(PickleId id) const;
  /// A view of the file.  Throws Error if the tensor does not lie within its storage, or has an
  /// unknown type.
  StridedArray tensor(PickleId id) const;
  /// The tensors of a dictionary whose keys are texts, without other values.  Throws Error naming
  /// the tensor that is damaged.
  StridedArrays tensors(PickleId dictionary) const;
  /// Releases the resident pages of its temporary files.
  void forget() const { entries_.forget(); }

 private:
  struct Storage {
    Type type;
    std::span<const std::byte> bytes;
  };

  void read_archive(std::span<const std::byte> bytes);
  void read_legacy(std::span<const std::byte> bytes);
  Storage storage(PickleId reference) const;
  std::uint64_t size_at(PickleId id) const;

  std::optional<Pickle> pickle_;
  base::SpillStore entries_;
  std::map<std::string, std::span<const std::byte>, std::less<>> storages_;  // by key
};

}  // namespace awend::store
