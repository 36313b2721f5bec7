// The BLEU of the tables of the paper, 28.4 for English to German: Moses' multi-bleu on tokenized
// text, with hyphenated compounds split on both sides, as in the authors' get_ende_bleu.sh.
//
// The input is tokenized by any tokenizer, so the score can be compared only with scores computed
// in the same way, and its name differs from sacreBLEU's.  Words end at ASCII white space;
// everything operates on bytes, as Perl does there.  Nothing is smoothed.  Test:
// tests/unit/metrics/bleu/paper_bleu_test.cpp, against outputs of multi-bleu.
#pragma once

#include "metrics/metric.hpp"

namespace awend::metrics {

struct PaperBleuSettings {
  bool split_compounds = true;  // "well-known" becomes "well ##AT##-##AT## known"
  bool lowercase = false;       // ASCII only, like the option -lc
};

/// The statistics of a segment are matches and n-grams of the hypothesis for the orders 1 to 4,
/// words of the hypothesis, and words of the reference closest in length; the shorter one of two.
class PaperBleu : public Metric {
 public:
  explicit PaperBleu(PaperBleuSettings settings = {}) : settings_(settings) {}

  /// "paper-BLEU"; without splitting "multi-BLEU".
  std::string name() const override;
  bool reads_whole_lines() const override { return true; }  // Perl splits only at ASCII spaces
  std::size_t width() const override { return 10; }
  /// The details are those of multi-bleu's line, starting with the precisions.
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

  /// The line of multi-bleu: "NAME = 28.68, 62.4/35.3/22.7/14.9 (BP=0.976, ratio=0.977,
  /// hyp_len=9163, ref_len=9383)".  The name in multi-bleu is "BLEU".
  std::string line(std::span<const std::int64_t> sums, std::string_view name) const;
  std::string line(std::span<const std::int64_t> sums) const { return line(sums, name()); }

 private:
  PaperBleuSettings settings_;
};

/// The text with its compounds split.  A match consumes both neighbors of a hyphen, so that in
/// "a-b-c" only the first is split.
std::string split_compounds(std::string_view text);

}  // namespace awend::metrics
