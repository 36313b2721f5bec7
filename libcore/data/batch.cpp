#include "data/batch.hpp"

#include <algorithm>

#include "data/encoder_batch.hpp"

namespace awend::data {
namespace {

void add_positions(std::size_t count, std::vector<std::uint32_t>& positions) {
  for (std::uint32_t place = 0; place < count; ++place) positions.push_back(place);
}

void add_source(const SideView& side, std::size_t sentence, std::uint32_t end, Batch& batch) {
  side.append_to(batch.source_ids, sentence);
  batch.source_ids.push_back(end);
  add_positions(side.tokens(sentence), batch.source_positions);
}

void add_target(const SideView& side, std::size_t sentence, std::uint32_t end, Batch& batch) {
  batch.target_input_ids.push_back(kNoToken);
  side.append_to(batch.target_input_ids, sentence);
  side.append_to(batch.target_output_ids, sentence);
  batch.target_output_ids.push_back(end);
  add_positions(side.tokens(sentence), batch.target_positions);
}

}  // namespace

void clear(Batch& batch) {
  batch.sentences = batch.first_source_row = batch.first_target_row = batch.first_sentence = 0;
  for (auto* array : {&batch.pairs, &batch.source_begin, &batch.target_begin, &batch.source_ids,
                      &batch.source_positions, &batch.target_input_ids, &batch.target_output_ids,
                      &batch.target_positions, &batch.source_segments, &batch.predicted_rows,
                      &batch.sentence_labels}) {
    array->clear();
  }
}

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

void pack_batch(const PairsView& corpus, const EpochPairs& pairs, Batch& batch) {
  clear(batch);
  batch.pairs.assign(pairs.pairs.begin(), pairs.pairs.end());
  if (corpus.packing() != nullptr) {
    for (std::size_t i = 0; i < pairs.size(); ++i) corpus.packing()->add(corpus, pairs[i], batch);
    return finish_examples(batch);
  }
  batch.sentences = static_cast<std::uint32_t>(pairs.size());
  for (const auto pair : pairs.pairs) {
    const auto [own, i] = corpus[pair];
    batch.source_begin.push_back(batch.source_rows());
    batch.target_begin.push_back(batch.target_rows());
    add_source(own.source, i, corpus.end_of_sentence(), batch);
    add_target(own.target, i, corpus.end_of_sentence(), batch);
  }
  batch.source_begin.push_back(batch.source_rows());
  batch.target_begin.push_back(batch.target_rows());
  batch.source_by_id = rows_by_key(batch.source_ids);
  batch.target_by_id = rows_by_key(batch.target_input_ids);
  batch.source_by_position = rows_by_key(batch.source_positions);
  batch.target_by_position = rows_by_key(batch.target_positions);
}

}  // namespace awend::data
