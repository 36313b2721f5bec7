// Pickles of Python as plain values.  Nothing is ever called: functions and classes, and what they
// would make, are records that a caller may interpret.
//
// Values refer to each other by number, so that any graph can be represented.
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace awend::store {

using PickleId = std::uint32_t;

struct PickleNone {};
struct PickleList {
  std::vector<PickleId> items;  ///< Of a list, tuple or set.
};
struct PickleDict {
  std::vector<std::pair<PickleId, PickleId>> items;
};
struct PickleGlobal {
  std::string module, name;
};
/// The result of a call, or an object of a class.
struct PickleObject {
  PickleId callable, arguments;
  std::optional<PickleId> state;
  std::vector<std::pair<PickleId, PickleId>> items;
};
/// An object outside of the pickle.
struct PickleReference {
  PickleId id;
};

using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, std::string, PickleList,
                                 PickleDict, PickleGlobal, PickleObject, PickleReference>;

/// The values of one pickle.
class Pickle {
 public:
  /// Reads the pickle at the beginning.  Throws Error for damaged bytes, unknown opcodes, and
  /// integers of more than 64 bits.
  explicit Pickle(std::span<const std::byte> bytes);

  PickleId root() const { return root_; }
  /// The number of values.
  PickleId size() const { return static_cast<PickleId>(values_.size()); }
  const PickleValue& value(PickleId id) const { return values_[id]; }
  /// The size of the pickle.
  std::uint64_t size_bytes() const { return size_bytes_; }

  /// The value, if it is of this kind.
  template <class Kind>
  const Kind* find(PickleId id) const {
    return std::get_if<Kind>(&values_[id]);
  }
  /// The pairs of a dictionary, an OrderedDict, or the attributes of an object.  Throws Error for
  /// other values.
  const std::vector<std::pair<PickleId, PickleId>>& pairs(PickleId id) const;
  /// The value with a text as key, if `id` is a dictionary or an object.
  std::optional<PickleId> at(PickleId id, std::string_view key) const;
  /// "module.name" of a function or class, or of that of an object; otherwise empty.
  std::string name_of(PickleId id) const;

 private:
  friend class Unpickler;
  std::vector<PickleValue> values_;
  PickleId root_ = 0;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace awend::store
