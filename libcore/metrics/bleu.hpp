// BLEU (Papineni et al. 2002) of a corpus, to the digit that sacreBLEU prints: n-grams up to 4, the
// closest reference length, a brevity penalty, and exponential smoothing of orders without a match.
//
// Test: tests/unit/metrics/bleu_test.cpp, against sacreBLEU's own outputs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/words.hpp"

namespace awend::metrics {

inline constexpr std::size_t kBleuOrder = 4;

/// What BLEU keeps of the lines seen: sums, so that corpora can be added up.
struct BleuStatistics {
  std::array<std::uint64_t, kBleuOrder>
      matches{};  // of n-grams, each at most as often as one reference has it
  std::array<std::uint64_t, kBleuOrder> totals{};  // n-grams in the hypotheses
  std::uint64_t hypothesis_words = 0;
  std::uint64_t reference_words = 0;  // of the reference closest in length, the shorter one of two

  BleuStatistics& operator+=(const BleuStatistics& other);
  bool operator==(const BleuStatistics&) const = default;
};

/// The statistics of one line, given as words.  There is at least one reference; an empty one
/// counts.
BleuStatistics bleu_statistics(std::span<const std::string> hypothesis,
                               std::span<const std::vector<std::string>> references);

struct BleuScore {
  double score = 0;                             // 0 to 100, or a rounding error more
  std::array<double, kBleuOrder> precisions{};  // per cent, smoothed
  double brevity_penalty = 1;
  double ratio = 0;  // of the lengths, hypothesis to reference
};

BleuScore bleu_score(const BleuStatistics& statistics);

enum class LetterCase { kMixed, kLower };

struct BleuSettings {
  Tokenizer tokenizer = Tokenizer::k13a;
  LetterCase letter_case = LetterCase::kMixed;
};

/// Adds up a corpus line by line.
class Bleu {
 public:
  explicit Bleu(BleuSettings settings = {}) : settings_(settings) {}

  /// Counts one line; every line has the same number of references, at least one.
  void add(std::string_view hypothesis, std::span<const std::string_view> references);

  const BleuStatistics& statistics() const { return statistics_; }
  BleuScore score() const { return bleu_score(statistics_); }

  /// How the number came about: "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:awend-0.1.0".
  std::string signature() const;

  /// "BLEU|SIGNATURE = 28.8 61.7/35.1/22.5/14.1 (BP = 1.000 ratio = 1.009 hyp_len = 1681 ref_len =
  /// 1666)", with so many digits behind the dot of the score.
  std::string line(int digits) const;

 private:
  std::vector<std::string> words(std::string_view line) const;

  BleuSettings settings_;
  BleuStatistics statistics_;
  std::size_t reference_count_ = 0;
};

/// A number with exactly so many digits behind the dot, rounded as printf rounds.
std::string fixed(double number, int digits);

}  // namespace awend::metrics
