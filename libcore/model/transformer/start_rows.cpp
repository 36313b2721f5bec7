#include "model/transformer/start_rows.hpp"

#include <algorithm>

namespace awend::model {

PackedSide StartRows::with_start(const PackedSide& target, std::uint32_t start_id) {
  const auto starts = target.begins.first(target.begins.size() - 1);
  ids_.assign(target.ids.begin(), target.ids.end());
  for (const std::uint32_t row : starts) ids_[row] = start_id;

  const RowsByKey& old = target.by_id;
  keys_.clear();
  begins_.clear();
  rows_.clear();
  const auto add = [&](std::uint32_t key, std::span<const std::uint32_t> rows,
                       std::span<const std::uint32_t> more) {
    keys_.push_back(key);
    begins_.push_back(static_cast<std::uint32_t>(rows_.size()));
    const auto middle = rows_.insert(rows_.end(), rows.begin(), rows.end()) +
                        static_cast<std::ptrdiff_t>(rows.size());
    const auto offset = middle - rows_.begin();
    rows_.insert(rows_.end(), more.begin(), more.end());
    const auto begin = rows_.begin() + begins_.back();
    std::inplace_merge(begin, rows_.begin() + offset, rows_.end());
  };
  bool is_added = false;
  for (std::size_t i = 0; i < old.keys.size(); ++i) {
    const std::uint32_t key = old.keys[i];
    const auto rows = old.rows.subspan(old.begins[i], old.begins[i + 1] - old.begins[i]);
    if (!is_added && key >= start_id) {
      if (key > start_id) add(start_id, starts, {});
      is_added = true;
    }
    add(key, rows, key == start_id ? starts : std::span<const std::uint32_t>());
  }
  if (!is_added) add(start_id, starts, {});
  begins_.push_back(static_cast<std::uint32_t>(rows_.size()));

  PackedSide side = target;
  side.ids = ids_;
  side.by_id = {.keys = keys_, .begins = begins_, .rows = rows_};
  return side;
}

}  // namespace awend::model
