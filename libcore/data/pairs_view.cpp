#include "data/pairs_view.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/mapped_file.hpp"

namespace awend::data {

SideView::SideView(const Sentences& sentences)
    : parts_{.ids = std::span(sentences.ids), .begins = sentences.begins.data()} {}

void SideView::append_to(std::vector<std::uint32_t>& out, std::size_t sentence) const {
  const auto* begin = parts_.begins + sentence * parts_.stride;
  const auto append = [&](const auto& ids) {
    const auto own = ids.subspan(begin[0], begin[1] - begin[0]);
    out.insert(out.end(), own.begin(), own.end());
    for (const auto id : own) {
      if (id >= parts_.vocabulary_size) {
        base::fail(parts_.file, ": the corpus cache is damaged: id ", id,
                   " out of range (vocabulary size ", parts_.vocabulary_size, "); remove it");
      }
    }
  };
  std::visit(append, parts_.ids);
}

PairsView::PairsView(const SentencePairs& pairs)
    : PairsView({{.source = pairs.source,
                  .target = pairs.target,
                  .alignments =
                      pairs.alignments ? std::optional<SideView>(*pairs.alignments) : std::nullopt,
                  .size = pairs.size()}},
                pairs.end_of_sentence) {}

PairsView::PairsView(std::vector<CorpusView> corpora, std::uint32_t end_of_sentence)
    : corpora_(std::move(corpora)), end_of_sentence_(end_of_sentence) {
  for (const auto& corpus : corpora_) begins_.push_back(begins_.back() + corpus.size);
  if (size() > std::numeric_limits<std::uint32_t>::max()) {
    base::fail("the corpus has ", size(), " pairs, more than 2^32");
  }
}

PairsView::Place PairsView::operator[](std::size_t pair) const {
  const auto after = std::upper_bound(begins_.begin() + 1, begins_.end() - 1, pair);
  const auto corpus = static_cast<std::size_t>(after - begins_.begin()) - 1;
  return {corpora_[corpus], pair - begins_[corpus]};
}

void PairsView::forget() const {
  for (const auto& corpus : corpora_) base::forget_mapped(corpus.mapped);
}

PairsView PairsView::packed_by(const Packing* packing) const {
  PairsView view = *this;
  view.packing_ = packing;
  return view;
}

PairRows PairsView::rows(const EpochPair& pair) const {
  if (packing_ != nullptr) return packing_->rows(*this, pair);
  const auto [own, i] = (*this)[pair.pair];
  return {own.source.tokens(i), own.target.tokens(i)};
}

std::uint32_t PairsView::longest() const {
  if (packing_ != nullptr) return packing_->longest(*this);
  std::uint32_t largest = 0;
  for (const auto& part : corpora_) {
    for (std::size_t i = 0; i < part.size; ++i) {
      largest = std::max({largest, part.source.tokens(i), part.target.tokens(i)});
      if (i % kPairsBetweenForgetting == 0) forget();
    }
  }
  forget();
  return largest;
}

}  // namespace awend::data
