#include "data/encoder_batch.hpp"

#include <optional>
#include <string>

#include "base/error.hpp"

namespace awend::data {

EncoderIds encoder_ids(const text::Vocabulary& vocabulary) {
  std::string missing;
  const auto find = [&](std::string_view piece) {
    const auto id = vocabulary.find(piece);
    if (!id) missing += base::concat(missing.empty() ? "" : " ", piece);
    return id.value_or(0);
  };
  const EncoderIds ids{.pad = find("[PAD]"),
                       .unknown = find("[UNK]"),
                       .classify = find("[CLS]"),
                       .separator = find("[SEP]"),
                       .mask = find("[MASK]")};
  if (!missing.empty())
    base::fail("the vocabulary lacks ", missing, ", which the architecture bert needs");
  return ids;
}

void add_example(const EncoderExample& example, Batch& batch) {
  const auto first = batch.source_rows();
  batch.source_begin.push_back(first);
  batch.target_begin.push_back(static_cast<std::uint32_t>(batch.predicted_rows.size()));
  batch.source_ids.insert(batch.source_ids.end(), example.ids.begin(), example.ids.end());
  for (std::uint32_t place = 0; place < example.ids.size(); ++place) {
    batch.source_positions.push_back(place);
    batch.source_segments.push_back(place < example.second_segment ? 0 : 1);
  }
  for (const auto place : example.predicted) batch.predicted_rows.push_back(first + place);
  batch.target_output_ids.insert(batch.target_output_ids.end(), example.answers.begin(),
                                 example.answers.end());
  batch.sentence_labels.push_back(example.label);
  ++batch.sentences;
}

void finish_examples(Batch& batch) {
  batch.source_begin.push_back(batch.source_rows());
  batch.target_begin.push_back(static_cast<std::uint32_t>(batch.predicted_rows.size()));
  batch.source_by_id = rows_by_key(batch.source_ids);
  batch.source_by_position = rows_by_key(batch.source_positions);
  batch.source_by_segment = rows_by_key(batch.source_segments);
}

}  // namespace awend::data
