#include "data/batch.hpp"

#include "base/error.hpp"
#include "data/encoder_batch.hpp"

namespace awend::data {
namespace {

/// Appends a sentence of `tokens` rows, whose ids follow.
void begin_sentence(std::size_t tokens, batch::PackedSide& side) {
  side.begins.push_back(side.rows());
  for (std::uint32_t place = 0; place < tokens; ++place) side.positions.push_back(place);
}

/// The links of pair `i`, whose target begins at `row`.  `numbers` is memory to be reused.
void append_links(const CorpusView& corpus, std::size_t i, std::uint32_t row,
                  std::vector<std::uint32_t>& numbers, std::vector<batch::Link>& links) {
  numbers.clear();
  corpus.alignments->append_to(numbers, i);
  // Lengths include the ends of sentences.
  const std::uint32_t source = corpus.source.tokens(i) - 1, target = corpus.target.tokens(i) - 1;
  for (std::size_t n = 0; n + 1 < numbers.size(); n += 2) {
    if (numbers[n] >= source || numbers[n + 1] >= target) {
      base::fail(corpus.alignments->file(), ": the corpus cache is damaged: link ", numbers[n], '-',
                 numbers[n + 1], " of ", source, " and ", target, " tokens; remove it");
    }
    links.push_back({.source = numbers[n], .target_row = row + numbers[n + 1]});
  }
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
  std::vector<std::uint32_t> numbers;
  for (const auto pair : pairs.pairs) {
    const auto [own, i] = corpus[pair];
    if (own.alignments) append_links(own, i, batch.target.rows(), numbers, batch.links);
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
