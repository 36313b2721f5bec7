#include "batch/packed_batch.hpp"

#include <algorithm>

namespace awend::batch {

RowsByKey rows_by_key(std::span<const std::uint32_t> keys) {
  std::vector<std::uint64_t>
      entries;  // key << 32 | row, so that rows with equal keys keep their order
  entries.reserve(keys.size());
  for (std::uint64_t row = 0; row < keys.size(); ++row) {
    if (keys[row] != kNoToken) entries.push_back(std::uint64_t{keys[row]} << 32 | row);
  }
  std::sort(entries.begin(), entries.end());
  RowsByKey result;
  for (const auto entry : entries) {
    const auto key = static_cast<std::uint32_t>(entry >> 32);
    if (result.keys.empty() || result.keys.back() != key) {
      result.keys.push_back(key);
      result.begins.push_back(static_cast<std::uint32_t>(result.rows.size()));
    }
    result.rows.push_back(static_cast<std::uint32_t>(entry));
  }
  result.begins.push_back(static_cast<std::uint32_t>(result.rows.size()));
  return result;
}

void clear(PackedBatch& batch) {
  batch.sentences = 0;
  batch.pairs.clear();
  batch.output_ids.clear();
  batch.links.clear();
  for (auto* side : {&batch.source, &batch.target}) {
    side->first_row = side->first_sentence = 0;
    for (auto* array : {&side->ids, &side->begins, &side->positions, &side->segments, &side->labels,
                        &side->source_rows}) {
      array->clear();
    }
  }
}

PackedSide with_start(PackedSide side, std::uint32_t id) {
  std::ranges::replace(side.ids, kNoToken, id);
  side.by_id = rows_by_key(side.ids);
  return side;
}

}  // namespace awend::batch
