#include "metrics/chrf/pairwise_chrf.hpp"

namespace awend::metrics {

PairwiseChrf::PairwiseChrf(const Chrf& metric, const ChrfSettings& settings)
    : metric_(metric),
      line_(settings),
      characters_(settings.char_order),
      words_(settings.word_order),
      row_(metric.width()) {}

void PairwiseChrf::read(std::span<const std::string_view> texts,
                        std::vector<ChrfLine::Symbols>& characters,
                        std::vector<ChrfLine::Symbols>& words) {
  characters.clear();
  words.clear();
  for (const auto text : texts) {
    line_.read(text, [this](std::string_view word) { return ids_.add(word); });
    characters.push_back(line_.characters());
    if (words_.orders > 0) words.push_back(line_.words());
  }
}

void PairwiseChrf::write_statistics(const Side& side,
                                    const std::vector<ChrfLine::Symbols>& references, Pair pair,
                                    std::span<std::int64_t> statistics) {
  const auto symbols = side.hypotheses[pair.hypothesis].size(),
             of_reference = references[pair.reference].size();
  for (std::size_t n = 0; n < side.orders; ++n) {
    const auto in_reference = ngram_count(of_reference, n + 1);
    statistics[3 * n] = in_reference > 0 ? ngram_count(symbols, n + 1) : 0;
    statistics[3 * n + 1] = in_reference;
    statistics[3 * n + 2] = side.shared.matches(n + 1, pair.hypothesis, pair.reference);
  }
}

void PairwiseChrf::score(std::span<const std::string_view> hypotheses,
                         std::span<const std::string_view> references, std::span<double> values) {
  const bool same =
      hypotheses.data() == references.data() && hypotheses.size() == references.size();
  ids_.clear();
  read(hypotheses, characters_.hypotheses, words_.hypotheses);
  if (!same) read(references, characters_.references, words_.references);
  for (Side* side : {&characters_, &words_}) {
    if (side->orders == 0) continue;
    same ? side->shared.count(side->hypotheses)
         : side->shared.count(side->hypotheses, side->references);
  }
  const auto& of_characters = same ? characters_.hypotheses : characters_.references;
  const auto& of_words = same ? words_.hypotheses : words_.references;
  const auto row = std::span(row_);
  const auto first = 3 * characters_.orders;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    for (std::size_t k = 0; k < references.size(); ++k) {
      write_statistics(characters_, of_characters, {i, k}, row.first(first));
      if (words_.orders > 0) write_statistics(words_, of_words, {i, k}, row.subspan(first));
      values[i * references.size() + k] = metric_.value(row);
    }
  }
}

}  // namespace awend::metrics
