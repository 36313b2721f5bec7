#include "metrics/bleu/bleu.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/bleu/pairwise_bleu.hpp"
#include "metrics/bleu/word_matches.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

double value_of(const BleuFormula& formula) {
  return formula.smoothing_value.value_or(formula.smoothing == Smoothing::kFloor ? 0.1 : 1);
}

class BleuWorker : public MetricWorker {
 public:
  BleuWorker(const WordCutter& cutter, std::size_t max_order)
      : cutter_(cutter), max_order_(max_order), matches_(max_order) {}

  void set_references(std::span<const std::string_view> references) override {
    matches_.clear();
    for (const auto reference : references) {
      cutter_.cut(reference, line_);
      matches_.add_reference(line_.words);
    }
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    cutter_.cut(hypothesis, line_);
    const auto length = line_.words.size();
    statistics[0] = static_cast<std::int64_t>(length);
    statistics[1] = matches_.closest_length(length);
    matches_.count(line_.words, statistics.subspan(2, max_order_),
                   statistics.subspan(2 + max_order_, max_order_));
  }

 private:
  WordCutter cutter_;
  std::size_t max_order_;
  WordMatches matches_;
  Words line_;
};

// sacreBLEU requires one dictionary per language, and identifies it by its number of entries.
constexpr struct {
  std::string_view tokenizer;
  std::size_t entries;
  std::string_view name;
} kDictionaries[] = {
    {"ja-mecab", 392'126, "IPA"},
    {"ja-mecab", 392'127, "IPA-Debian"},  // which also contains the era Reiwa
    {"ko-mecab", 811'795, "KO"},
};

std::string mecab_signature(const text::Mecab& mecab, std::string_view tokenizer,
                            const std::string& path) {
  std::size_t expected = 0;
  for (const auto& dictionary : kDictionaries) {
    if (dictionary.tokenizer != tokenizer) continue;
    if (dictionary.entries == mecab.size())
      return base::concat("-", mecab.version(), "-", dictionary.name);
    if (expected == 0) expected = dictionary.entries;
  }
  base::fail(path, ": a dictionary of ", mecab.size(), " entries, but ", tokenizer,
             " is defined by ", "one of ", expected,
             tokenizer == "ja-mecab" ? " (IPA)" : " (mecab-ko-dic)");
}

}  // namespace

BleuStatistics BleuStatistics::of_row(std::span<const std::int64_t> row) {
  base::check(row.size() >= 2 && row.size() % 2 == 0, "a row has two lengths and pairs of counts");
  const auto order = (row.size() - 2) / 2;
  const auto matches = row.subspan(2, order), totals = row.subspan(2 + order, order);
  return {row[0], row[1], {matches.begin(), matches.end()}, {totals.begin(), totals.end()}};
}

BleuScore bleu_score(const BleuStatistics& statistics, const BleuFormula& formula, Counts counts) {
  const auto orders = statistics.matches.size();
  base::check(statistics.totals.size() == orders, "each order has matches and n-grams");
  BleuScore result;
  result.precisions.assign(orders, 0);
  result.matches.assign(statistics.matches.begin(), statistics.matches.end());
  result.totals.assign(statistics.totals.begin(), statistics.totals.end());
  const auto hypothesis = static_cast<double>(statistics.hypothesis_words);
  const auto reference = static_cast<double>(statistics.reference_words);
  if (hypothesis < reference)
    result.brevity_penalty = hypothesis > 0 ? std::exp(1 - reference / hypothesis) : 0;
  result.ratio = reference > 0 ? hypothesis / reference : 0;
  if (std::ranges::all_of(statistics.matches, [](auto matches) { return matches == 0; }))
    return result;

  const auto held = [counts](double count) {
    return counts == Counts::kFloat32 ? static_cast<double>(static_cast<float>(count)) : count;
  };
  auto effective = orders;
  double part = 1;  // of a match, for an order without matches
  for (std::size_t n = 0; n < orders; ++n) {
    if (formula.smoothing == Smoothing::kAddK && n > 0) {
      result.matches[n] = held(result.matches[n] + value_of(formula));
      result.totals[n] = held(result.totals[n] + value_of(formula));
    }
    const auto total = result.totals[n];
    if (total == 0) break;
    if (formula.effective_order) effective = n + 1;
    if (result.matches[n] > 0) {
      result.precisions[n] = 100 * result.matches[n] / total;
    } else if (formula.smoothing == Smoothing::kExp) {
      part *= 2;
      result.precisions[n] = 100 / (part * total);
    } else if (formula.smoothing == Smoothing::kFloor) {
      result.precisions[n] = 100 * value_of(formula) / total;
    }
  }
  // If one order is zero, the score is zero.
  double logarithms = 0;
  for (std::size_t n = 0; n < effective; ++n) {
    if (result.precisions[n] == 0) return result;
    logarithms += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(logarithms / static_cast<double>(effective));
  return result;
}

Bleu::Bleu(BleuSettings settings) : settings_(std::move(settings)) {
  const auto& formula = settings_.formula;
  base::require_in("the order of n-grams", base::Range<std::size_t>{1, kMaxOrder},
                   formula.max_order);
  base::require_in("the smoothing value", base::RealRange{.min = 0}, value_of(formula));
  if (settings_.tokenizer_name.empty()) settings_.tokenizer_name = name_of(settings_.tokenizer);
  if (settings_.tokenizer == BleuTokenizer::kSentencePiece) {
    model_ = std::make_unique<text::SentencePieceModel>(
        text::SentencePieceModel::read(settings_.model_path));
  }
  if (settings_.tokenizer == BleuTokenizer::kMecab) {
    mecab_ = std::make_unique<text::Mecab>(settings_.model_path);
    settings_.tokenizer_name +=
        mecab_signature(*mecab_, settings_.tokenizer_name, settings_.model_path);
  }
}

double Bleu::value(std::span<const std::int64_t> sums) const {
  return bleu_score(BleuStatistics::of_row(sums), settings_.formula).score;
}

double Bleu::resampled_value(std::span<const std::int64_t> sums) const {
  return bleu_score(BleuStatistics::of_row(sums), settings_.formula, Counts::kFloat32).score;
}

Score Bleu::score(std::span<const std::int64_t> sums) const {
  const auto statistics = BleuStatistics::of_row(sums);
  const auto result = bleu_score(statistics, settings_.formula);
  Score score{result.score, {}};
  for (double precision : result.precisions) {
    score.details += (score.details.empty() ? "" : "/") + fixed(precision, 1);
  }
  score.details += base::concat(
      " (BP = ", fixed(result.brevity_penalty, 3), " ratio = ", fixed(result.ratio, 3),
      " hyp_len = ", statistics.hypothesis_words, " ref_len = ", statistics.reference_words, ")");
  return score;
}

std::vector<SignatureField> Bleu::signature() const {
  const auto& formula = settings_.formula;
  std::string smoothing(base::word_for(kSmoothingWords, formula.smoothing));
  if (formula.smoothing == Smoothing::kFloor || formula.smoothing == Smoothing::kAddK)
    smoothing += base::concat("[", fixed(value_of(formula), 2), "]");
  return {{"case", "c", settings_.letter_case == LetterCase::kMixed ? "mixed" : "lc"},
          {"eff", "e", formula.effective_order ? "yes" : "no"},
          {"tok", "tok", settings_.tokenizer_name},
          {"smooth", "s", smoothing}};
}

WordCutter Bleu::cutter() const {
  return WordCutter(settings_.tokenizer, settings_.letter_case, model_.get(), mecab_.get());
}

std::unique_ptr<MetricWorker> Bleu::make_worker() const {
  return std::make_unique<BleuWorker>(cutter(), settings_.formula.max_order);
}

std::unique_ptr<PairwiseScorer> Bleu::make_pairwise_scorer() const {
  return std::make_unique<PairwiseBleu>(*this, cutter(), settings_.formula.max_order);
}

}  // namespace awend::metrics
