// The BLEU of the paper's tables, 28.4 for English to German: Moses' multi-bleu over tokenised
// text, with hyphenated compounds split on both sides, as the authors' get_ende_bleu.sh does.
//
// The text comes tokenised, by whatever tokenizer, so the number can be compared with nothing but
// numbers made in the same way, and its name differs from sacreBLEU's.  Words end at ASCII white
// space; everything works on bytes, as Perl does there.  Nothing is smoothed.  Test:
// tests/unit/metrics/paper_bleu_test.cpp, against multi-bleu's own outputs.
#pragma once

#include "metrics/metric.hpp"

namespace awend::metrics {

struct PaperBleuSettings {
  bool split_compounds = true;  // "well-known" becomes "well ##AT##-##AT## known"
  bool lowercase = false;       // of ASCII only, which is what -lc does
};

/// A segment's statistics are matches and n-grams of the hypothesis for the orders 1 to 4, words of
/// the hypothesis, and words of the reference closest to it in length, the shorter one of two.
class PaperBleu : public Metric {
 public:
  explicit PaperBleu(PaperBleuSettings settings = {}) : settings_(settings) {}

  /// "paper-BLEU"; without splitting "multi-BLEU".
  std::string name() const override;
  bool reads_whole_lines() const override { return true; }  // Perl cuts at ASCII's spaces only
  std::size_t width() const override { return 10; }
  /// The details are those of multi-bleu's line, from the precisions on.
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

  /// multi-bleu's line: "NAME = 28.68, 62.4/35.3/22.7/14.9 (BP=0.976, ratio=0.977, hyp_len=9163,
  /// ref_len=9383)".  multi-bleu itself has the name "BLEU".
  std::string line(std::span<const std::int64_t> sums, std::string_view name) const;
  std::string line(std::span<const std::int64_t> sums) const { return line(sums, name()); }

 private:
  PaperBleuSettings settings_;
};

/// The text with its compounds split.  Both neighbours of a hyphen are used up, so that in "a-b-c"
/// only the first is split off.
std::string split_compounds(std::string_view text);

}  // namespace awend::metrics
