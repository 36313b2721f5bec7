#include "data/encoder_batch.hpp"

#include <string>

#include "base/error.hpp"

namespace awend::data {

EncoderIds encoder_ids(const text::Vocabulary& vocabulary) {
  std::string missing;
  // RoBERTa and its successors have other names, and as separator two ends of a sentence:
  // <s> A </s></s> B </s>.
  const auto mask = vocabulary.find("<mask>"), start = vocabulary.find("<s>"),
             pad = vocabulary.find("<pad>"), end = vocabulary.find("</s>");
  if (mask && start && pad && end && !vocabulary.find("[MASK]")) {
    return {.pad = *pad,
            .unknown = vocabulary.unknown(),
            .classify = *start,
            .separator = *end,
            .mask = *mask,
            .separators = 2};
  }
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

void add_example(const EncoderExample& example, batch::PackedBatch& batch) {
  const auto first = batch.source.rows();
  batch.source.begins.push_back(first);
  batch.target.begins.push_back(static_cast<std::uint32_t>(batch.target.source_rows.size()));
  batch.source.ids.insert(batch.source.ids.end(), example.ids.begin(), example.ids.end());
  for (std::uint32_t place = 0; place < example.ids.size(); ++place) {
    batch.source.positions.push_back(place);
    batch.source.segments.push_back(place < example.second_segment ? 0 : 1);
  }
  for (const auto place : example.predicted) batch.target.source_rows.push_back(first + place);
  batch.output_ids.insert(batch.output_ids.end(), example.answers.begin(), example.answers.end());
  batch.source.labels.push_back(example.label);
  ++batch.sentences;
}

void finish_examples(batch::PackedBatch& batch) {
  batch.source.begins.push_back(batch.source.rows());
  batch.target.begins.push_back(static_cast<std::uint32_t>(batch.target.source_rows.size()));
  batch.source.by_id = batch::rows_by_key(batch.source.ids);
  batch.source.by_position = batch::rows_by_key(batch.source.positions);
  batch.source.by_segment = batch::rows_by_key(batch.source.segments);
}

}  // namespace awend::data
