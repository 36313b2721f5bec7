#include "forward/batch.hpp"

namespace awend::forward {
namespace {

model::RowsByKey by_key(const data::RowsByKey& rows) {
  return {.keys = rows.keys, .begins = rows.begins, .rows = rows.rows};
}

}  // namespace

model::PackedBatch packed(const data::Batch& batch) {
  return {.source = {.ids = batch.source_ids,
                     .begins = batch.source_begin,
                     .positions = batch.source_positions,
                     .by_id = by_key(batch.source_by_id),
                     .by_position = by_key(batch.source_by_position),
                     .first_row = batch.first_source_row,
                     .segments = batch.source_segments,
                     .by_segment = by_key(batch.source_by_segment),
                     .labels = batch.sentence_labels,
                     .first_sentence = batch.first_sentence},
          .target = {.ids = batch.target_input_ids,
                     .begins = batch.target_begin,
                     .positions = batch.target_positions,
                     .by_id = by_key(batch.target_by_id),
                     .by_position = by_key(batch.target_by_position),
                     .first_row = batch.first_target_row,
                     .source_rows = batch.predicted_rows},
          .output_ids = batch.target_output_ids};
}

}  // namespace awend::forward
