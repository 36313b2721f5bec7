// BLEU (Papineni et al. 2002), to the digit that sacreBLEU prints: n-grams, each matched at most as
// often as one reference has it, the closest reference length, a brevity penalty, and what is done
// about orders without a match.
//
// Test: tests/unit/metrics/bleu_test.cpp, against sacreBLEU's own outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "metrics/bleu/words.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

/// What an order without a match is given for its precision.
enum class Smoothing {
  kNone,   // nothing: the score is 0
  kFloor,  // the matches are the value
  kAddK,   // all orders but the first get the value more, matches and n-grams
  kExp,    // 1/2, then 1/4, and so on, of a match
};

std::string_view name_of(Smoothing smoothing);
std::optional<Smoothing> smoothing_named(std::string_view name);

/// How the sums become a score.
struct BleuFormula {
  std::size_t max_order = 4;
  Smoothing smoothing = Smoothing::kExp;
  std::optional<double> smoothing_value = {};  // unset: 0.1 for kFloor, 1 for kAddK
  bool effective_order = false;                // orders that the line is too short for do not count
};

struct BleuSettings {
  Tokenizer tokenizer = Tokenizer::k13a;
  LetterCase letter_case = LetterCase::kMixed;
  /// The model of Tokenizer::kSentencePiece or the dictionary of kMecab, and what signatures call
  /// it; to a dictionary's they add what it is.
  std::string model_path = {};
  std::string tokenizer_name = {};
  BleuFormula formula = {};
};

/// Sums over a corpus.  As numbers of a row: hypothesis and reference words, matches, n-grams.
struct BleuStatistics {
  std::int64_t hypothesis_words = 0;
  std::int64_t reference_words = 0;  // of the closest reference, the shorter one of two
  std::vector<std::int64_t> matches;
  std::vector<std::int64_t> totals;

  static BleuStatistics of_row(std::span<const std::int64_t> row);
};

struct BleuScore {
  double score = 0;                // 0 to 100, or a rounding error more
  std::vector<double> precisions;  // per cent, smoothed
  std::vector<double> matches;     // with what smoothing added
  std::vector<double> totals;
  double brevity_penalty = 1;
  double ratio = 0;  // of the lengths, hypothesis to reference
};

/// What holds the counts.  To floats of 32 bits, which sacreBLEU's bootstrap has, add-k adds with
/// an error.
enum class Counts { kWide, kFloat32 };

BleuScore bleu_score(const BleuStatistics& statistics, const BleuFormula& formula = {},
                     Counts counts = Counts::kWide);

class Bleu : public Metric {
 public:
  explicit Bleu(BleuSettings settings = {});

  std::string name() const override { return "BLEU"; }
  std::size_t width() const override { return 2 + 2 * settings_.formula.max_order; }
  Score score(std::span<const std::int64_t> sums) const override;
  double value(std::span<const std::int64_t> sums) const override;
  double resampled_value(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

 private:
  BleuSettings settings_;
  std::unique_ptr<text::SentencePieceModel> model_;
  std::unique_ptr<text::Mecab> mecab_;
};

}  // namespace awend::metrics
