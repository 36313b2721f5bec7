#include "data/batch.hpp"

#include "data/encoder_batch.hpp"

namespace awend::data {
namespace {

/// Appends a sentence of `tokens` rows, whose ids follow.
void begin_sentence(std::size_t tokens, batch::PackedSide& side) {
  side.begins.push_back(side.rows());
  for (std::uint32_t place = 0; place < tokens; ++place) side.positions.push_back(place);
}

void finish(batch::PackedSide& side) {
  side.begins.push_back(side.rows());
  side.by_id = batch::rows_by_key(side.ids);
  side.by_position = batch::rows_by_key(side.positions);
}

}  // namespace

void pack_batch(const PairsView& corpus, const EpochPairs& pairs, batch::PackedBatch& batch) {
  clear(batch);
  batch.pairs.assign(pairs.pairs.begin(), pairs.pairs.end());
  if (corpus.packing() != nullptr) {
    for (std::size_t i = 0; i < pairs.size(); ++i) corpus.packing()->add(corpus, pairs[i], batch);
    return finish_examples(batch);
  }
  batch.sentences = static_cast<std::uint32_t>(pairs.size());
  const auto end = corpus.end_of_sentence();
  for (const auto pair : pairs.pairs) {
    const auto [own, i] = corpus[pair];
    begin_sentence(own.source.tokens(i), batch.source);
    own.source.append_to(batch.source.ids, i);
    batch.source.ids.push_back(end);
    begin_sentence(own.target.tokens(i), batch.target);
    batch.target.ids.push_back(batch::kNoToken);
    own.target.append_to(batch.target.ids, i);
    own.target.append_to(batch.output_ids, i);
    batch.output_ids.push_back(end);
  }
  finish(batch.source);
  finish(batch.target);
}

}  // namespace awend::data
