#include "metrics/bleu/pairwise_bleu.hpp"

#include <algorithm>

namespace awend::metrics {

PairwiseBleu::PairwiseBleu(const Metric& metric, const WordCutter& cutter, std::size_t max_order)
    : metric_(metric), cutter_(cutter), max_order_(max_order), shared_(max_order) {}

PairwiseBleu::Texts PairwiseBleu::read(std::span<const std::string_view> lines) {
  Texts texts;
  for (const auto line : lines) {
    cutter_.cut(line, words_);
    auto& symbols = texts.emplace_back();
    for (const auto word : words_.words) symbols.push_back(ids_.add(word));
  }
  return texts;
}

void PairwiseBleu::score(std::span<const std::string_view> hypotheses,
                         std::span<const std::string_view> references, std::span<double> values) {
  const bool same =
      hypotheses.data() == references.data() && hypotheses.size() == references.size();
  ids_.clear();
  const auto rows = read(hypotheses);
  const auto others = same ? Texts() : read(references);
  const auto& columns = same ? rows : others;
  same ? shared_.count(rows) : shared_.count(rows, columns);
  std::vector<std::int64_t> statistics(2 + 2 * max_order_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto length = rows[i].size();
    statistics[0] = static_cast<std::int64_t>(length);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      statistics[1] = static_cast<std::int64_t>(columns[k].size());
      for (std::size_t n = 0; n < max_order_; ++n) {
        statistics[2 + n] = shared_.matches(n + 1, i, k);
        statistics[2 + max_order_ + n] = static_cast<std::int64_t>(length - std::min(length, n));
      }
      values[i * columns.size() + k] = metric_.value(statistics);
    }
  }
}

}  // namespace awend::metrics
