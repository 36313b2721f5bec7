#include "data/labeled_text.hpp"

#include <algorithm>

#include "data/corpus.hpp"

namespace awend::data {

EncoderLine encoder_line(std::span<const std::uint32_t> ids, const EncoderIds& special,
                         Labeled labeled) {
  EncoderLine line;
  line.ids.push_back(special.classify);
  line.ids.insert(line.ids.end(), ids.begin(), ids.end());
  line.ids.push_back(special.separator);
  const auto separator = std::ranges::find(line.ids, special.separator) - line.ids.begin();
  line.second_segment = static_cast<std::uint32_t>(
      std::min<std::size_t>(separator + special.separators, line.ids.size()));
  if (labeled == Labeled::kLines) {
    line.predicted = {0};
    return line;
  }
  if (labeled == Labeled::kSpans) return line;
  for (std::uint32_t place = 1; place < line.ids.size(); ++place) {
    if (line.ids[place] != special.separator) line.predicted.push_back(place);
  }
  return line;
}

PairRows LabeledText::rows(const PairsView& corpus, const EpochPair& pair) const {
  // Of a source, tokens() includes an end; of a target, it is one more than the labels.
  const auto [own, i] = corpus[pair.pair];
  return {own.source.tokens(i) + 1, own.target.tokens(i) - 1};
}

std::uint32_t LabeledText::longest(const PairsView& corpus) const {
  std::uint32_t largest = 0;
  for (std::uint32_t pair = 0; pair < corpus.size(); ++pair)
    largest = std::max(largest, rows(corpus, {pair}).source);
  corpus.forget();
  return largest;
}

void LabeledText::add(const PairsView& corpus, const EpochPair& pair,
                      batch::PackedBatch& batch) const {
  const auto [own, i] = corpus[pair.pair];
  std::vector<std::uint32_t> ids, labels;
  own.source.append_to(ids, i);
  own.target.append_to(labels, i);
  const auto line = encoder_line(ids, special_, labeled_);
  if (labeled_ == Labeled::kSpans) {
    for (auto& token : labels) {
      if (token != kNoAnswer) token += line.second_segment - 1;
    }
  }
  add_example({.ids = line.ids,
               .second_segment = line.second_segment,
               .predicted = line.predicted,
               .answers = labels},
              batch);
}

}  // namespace awend::data
