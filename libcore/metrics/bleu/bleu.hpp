// BLEU (Papineni et al. 2002), to the digit that sacreBLEU prints: n-grams, each matched at most as
// often as one reference contains it, the closest reference length, a brevity penalty, and
// smoothing of orders without matches.
//
// Test: tests/unit/metrics/bleu/bleu_test.cpp, against outputs of sacreBLEU.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/words.hpp"
#include "metrics/bleu/words.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

/// The precision of an order without matches.
enum class Smoothing {
  kNone,   // no smoothing: the score is 0
  kFloor,  // the value replaces the number of matches
  kAddK,   // the value is added to matches and n-grams of all orders but the first
  kExp,    // 1/2, then 1/4, and so on, of a match
};

inline constexpr base::Word<Smoothing> kSmoothingWords[] = {{Smoothing::kNone, "none"},
                                                            {Smoothing::kFloor, "floor"},
                                                            {Smoothing::kAddK, "add-k"},
                                                            {Smoothing::kExp, "exp"}};

/// The computation of the score from the sums.
struct BleuFormula {
  std::size_t max_order = 4;
  Smoothing smoothing = Smoothing::kExp;
  std::optional<double> smoothing_value = {};  // unset: 0.1 for kFloor, 1 for kAddK
  bool effective_order = false;                // orders longer than the line are ignored
};

struct BleuSettings {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  LetterCase letter_case = LetterCase::kMixed;
  /// The model of BleuTokenizer::kSentencePiece or the dictionary of kMecab, and its name in
  /// signatures, to which the kind of a dictionary is added.
  std::string model_path = {};
  std::string tokenizer_name = {};
  BleuFormula formula = {};
};

/// Sums over a corpus.  In a row: hypothesis and reference words, matches, n-grams.
struct BleuStatistics {
  std::int64_t hypothesis_words = 0;
  // Of the closest reference; the shorter one if two are equally close.
  std::int64_t reference_words = 0;
  std::vector<std::int64_t> matches;
  std::vector<std::int64_t> totals;

  /// Requires: a row of Bleu::width() numbers.
  static BleuStatistics of_row(std::span<const std::int64_t> row);
};

struct BleuScore {
  double score = 0;                // 0 to 100, up to rounding errors
  std::vector<double> precisions;  // in percent, smoothed
  std::vector<double> matches;     // with smoothing
  std::vector<double> totals;
  double brevity_penalty = 1;
  double ratio = 0;  // of hypothesis length to reference length
};

/// The type of the counts.  With 32-bit floats, which the bootstrap of sacreBLEU uses, add-k
/// smoothing has a rounding error.
enum class Counts { kWide, kFloat32 };

/// Requires: as many totals as matches.
BleuScore bleu_score(const BleuStatistics& statistics, const BleuFormula& formula = {},
                     Counts counts = Counts::kWide);

class Bleu : public Metric {
 public:
  /// Throws UsageError for an order outside [1, kMaxOrder] and for a smoothing value that is
  /// negative or not finite; Error for a model that cannot be read.
  explicit Bleu(BleuSettings settings = {});

  std::string name() const override { return "BLEU"; }
  std::size_t width() const override { return 2 + 2 * settings_.formula.max_order; }
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  double value(std::span<const std::int64_t> sums) const override;
  double resampled_value(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;
  std::unique_ptr<PairwiseScorer> make_pairwise_scorer() const override;

 private:
  WordCutter cutter() const;

  BleuSettings settings_;
  std::unique_ptr<text::SentencePieceModel> model_;
  std::unique_ptr<text::Mecab> mecab_;
};

}  // namespace awend::metrics
