// The labels of lines or tokens, with their ids.  Test: tests/unit/data/labels_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/report.hpp"

namespace awend::data {

/// The labels in these files, sorted and distinct: words between spaces.  Throws Error naming the
/// file if it has none or a tab, or if it is a pipe, which could not be read again for training,
/// and if all labels are the same.  Warns of lines that end in CR.
std::vector<std::string> read_labels(std::span<const std::string> paths,
                                     const base::Report& report);

class LabelIds {
 public:
  /// The id of a label is its place in the list.
  explicit LabelIds(std::vector<std::string> names);
  LabelIds(LabelIds&&) = default;  // a copy would refer to the names of the original
  LabelIds& operator=(LabelIds&&) = default;

  std::size_t size() const { return names_.size(); }
  std::optional<std::uint32_t> find(std::string_view label) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // views into the names
};

}  // namespace awend::data
