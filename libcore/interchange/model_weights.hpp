// The weights of a model that is converted.  Those of a large model are in temporary files or in
// the mapped file of a checkpoint, so that memory is needed for one weight at a time.
//
// Test: tests/unit/interchange/model_weights_test.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spill_store.hpp"
#include "store/array_file.hpp"

namespace awend::interchange {

/// By the names of model::weights_of(), in row-major order.
class ModelWeights {
 public:
  using Values = std::vector<float>;

  bool empty() const { return weights_.empty(); }
  std::size_t size() const { return weights_.size(); }
  bool contains(std::string_view name) const { return weights_.contains(name); }
  std::vector<std::string> names() const;

  /// Keeps a mapped file, of which refer() adds weights.
  void keep_open(store::ArrayFile file) {
    files_.push_back(std::make_unique<const store::ArrayFile>(std::move(file)));
  }
  /// Adds a weight that is read in the mapped file.
  void refer(const std::string& name, std::span<const float> values);
  /// Adds a weight, unless there is one of this name.
  void emplace(const std::string& name, const Values& values);
  /// Replaces a weight, or adds it.
  void set(const std::string& name, const Values& values);
  /// A weight in memory, which may be changed; a new one is empty.
  Values& operator[](const std::string& name);
  void erase(std::string_view name);
  void clear() { weights_.clear(); }

  /// The number of its values.  Requires: there is a weight of this name.
  std::size_t count(std::string_view name) const { return view(name).size(); }
  /// A copy.  Requires: there is a weight of this name.
  Values at(std::string_view name) const;
  /// Calls action() with parts of a weight, which are whole rows, one after the other; their pages
  /// are not resident before and afterwards.  Requires: there is a weight of this name.
  template <class Action>
  void for_parts(std::string_view name, std::size_t columns, const Action& action) const {
    const auto values = view(name);
    const std::size_t rows_of_part = std::max<std::size_t>(kPartFloats / columns, 1);
    for (std::size_t begin = 0; begin < values.size(); begin += rows_of_part * columns) {
      const auto part =
          values.subspan(begin, std::min(rows_of_part * columns, values.size() - begin));
      action(part);
      forget(name, part);
    }
  }
  /// The same for rows in another order.
  template <class Action>
  void for_rows(std::string_view name, std::size_t columns, std::span<const std::uint32_t> rows,
                const Action& action) const {
    const auto values = view(name);
    const std::size_t rows_of_part = std::max<std::size_t>(kPartFloats / columns, 1);
    Values part;
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_of_part) {
      part.clear();
      for (const auto row : rows.subspan(begin, std::min(rows_of_part, rows.size() - begin))) {
        const auto from = values.subspan(row * columns, columns);
        part.insert(part.end(), from.begin(), from.end());
      }
      action(std::span<const float>(part));
      forget(name, values);
    }
  }

  /// The same names and bits.
  bool operator==(const ModelWeights& other) const;

 private:
  static constexpr std::size_t kPartFloats = std::size_t{2} << 20;

  struct Weight {
    std::optional<Values> values;      // in memory
    std::span<const float> kept = {};  // or in the store, or in a mapped file
    bool is_mapped = false;            // in a mapped file
  };
  std::span<const float> view(std::string_view name) const;
  /// Releases the resident pages of a part of a weight, if they are in a file.
  void forget(std::string_view name, std::span<const float> part) const;

  std::vector<std::unique_ptr<const store::ArrayFile>> files_;
  std::map<std::string, Weight, std::less<>> weights_;
  base::SpillStore spilled_;
};

}  // namespace awend::interchange
