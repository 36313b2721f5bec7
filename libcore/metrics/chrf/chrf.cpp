#include "metrics/chrf/chrf.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/chrf/line.hpp"
#include "metrics/chrf/pairwise_chrf.hpp"
#include "metrics/ngram_tree.hpp"
#include "metrics/word_ids.hpp"

namespace awend::metrics {
namespace {

using Symbols = ChrfLine::Symbols;

constexpr double kEpsilon = 1e-16;  // instead of a division by 0, if F is smoothed

// The n-grams of one kind, characters or words, of the references of a segment.
class Side {
 public:
  explicit Side(int orders) : orders_(static_cast<std::size_t>(orders)), matches_(orders_) {}

  std::size_t orders() const { return orders_; }

  void set_reference(std::size_t which, const Symbols& symbols) {
    if (references_.size() <= which) references_.resize(which + 1);
    auto& reference = references_[which];
    reference.symbols = symbols.size();
    reference.tree.set_references(orders_, {&symbols, 1});
  }

  void measure(std::size_t which, const Symbols& symbols, std::span<std::int64_t> statistics) {
    auto& reference = references_[which];
    reference.tree.count_matches(symbols, matches_);
    for (std::size_t n = 0; n < orders_; ++n) {
      const auto in_reference = ngram_count(reference.symbols, n + 1);
      statistics[3 * n] = in_reference > 0 ? ngram_count(symbols.size(), n + 1) : 0;
      statistics[3 * n + 1] = in_reference;
      statistics[3 * n + 2] = matches_[n];
    }
  }

 private:
  struct Reference {
    NgramTree tree;
    std::size_t symbols = 0;
  };

  std::size_t orders_;
  std::vector<Reference> references_;  // allocated for the longest list so far
  std::vector<std::int64_t> matches_;
};

class ChrfWorker : public MetricWorker {
 public:
  ChrfWorker(const Chrf& metric, const ChrfSettings& settings)
      : metric_(metric),
        line_(settings),
        characters_(settings.char_order),
        words_(settings.word_order),
        trial_(metric.width()) {}

  void set_references(std::span<const std::string_view> references) override {
    references_ = references.size();
    ids_.clear();
    for (std::size_t i = 0; i < references_; ++i) {
      line_.read(references[i], [this](std::string_view word) { return ids_.add(word); });
      characters_.set_reference(i, line_.characters());
      if (words_.orders() > 0) words_.set_reference(i, line_.words());
    }
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    base::check(references_ > 0, "a line has a reference");
    line_.read(hypothesis, [this](std::string_view word) { return ids_.find(word); });
    measure(0, statistics);
    if (references_ == 1) return;
    auto best = metric_.score(statistics).value;
    for (std::size_t i = 1; i < references_; ++i) {
      measure(i, trial_);
      const auto score = metric_.score(trial_).value;
      if (score <= best) continue;
      best = score;
      std::ranges::copy(trial_, statistics.begin());
    }
  }

 private:
  void measure(std::size_t reference, std::span<std::int64_t> statistics) {
    const auto behind = 3 * characters_.orders();
    characters_.measure(reference, line_.characters(), statistics.first(behind));
    if (words_.orders() > 0) words_.measure(reference, line_.words(), statistics.subspan(behind));
  }

  Chrf metric_;
  ChrfLine line_;  // the last one
  Side characters_, words_;
  WordIds ids_;
  std::size_t references_ = 0;
  std::vector<std::int64_t> trial_;
};

}  // namespace

Chrf::Chrf(ChrfSettings settings) : settings_(settings) {
  constexpr base::IntegerRange kOrders{0, kMaxOrder};
  base::require_in("the order of character n-grams", kOrders, settings.char_order);
  base::require_in("the order of word n-grams", kOrders, settings.word_order);
  base::require_in("the weight of recall", base::IntegerRange{0, kMaxBeta}, settings.beta);
}

std::size_t Chrf::orders() const {
  return static_cast<std::size_t>(settings_.char_order + settings_.word_order);
}

std::string Chrf::name() const {
  return base::concat("chrF", settings_.beta,
                      std::string(static_cast<std::size_t>(settings_.word_order), '+'));
}

// Precision and recall are quotients of type Float.
template <class Float>
double Chrf::f_score(std::span<const std::int64_t> sums) const {
  const double weight = static_cast<double>(settings_.beta) * settings_.beta;
  double smoothed = 0, precisions = 0, recalls = 0;
  int effective_orders = 0;
  for (std::size_t n = 0; n < orders(); ++n) {
    const auto hypothesis = sums[3 * n], reference = sums[3 * n + 1];
    const auto matches = static_cast<Float>(sums[3 * n + 2]);
    const double precision = hypothesis > 0 ? matches / static_cast<Float>(hypothesis) : kEpsilon;
    const double recall = reference > 0 ? matches / static_cast<Float>(reference) : kEpsilon;
    const double below = weight * precision + recall;
    smoothed += below > 0 ? (1 + weight) * precision * recall / below : kEpsilon;
    if (hypothesis == 0 || reference == 0) continue;
    precisions += precision;
    recalls += recall;
    ++effective_orders;
  }
  if (orders() == 0) return 0;
  if (settings_.eps_smoothing) return 100 * smoothed / static_cast<double>(orders());
  if (effective_orders == 0 || precisions + recalls == 0) return 0;
  const double precision = precisions / effective_orders, recall = recalls / effective_orders;
  // In sacreBLEU's order of operations, because near ties between references depend on the last
  // bit.
  return 100 * ((1 + weight) * precision * recall / (weight * precision + recall));
}

Score Chrf::score(std::span<const std::int64_t> sums) const {
  return {.value = f_score<double>(sums)};
}

double Chrf::resampled_value(std::span<const std::int64_t> sums) const {
  return f_score<float>(sums);
}

std::vector<SignatureField> Chrf::signature() const {
  return {{"case", "c", settings_.lowercase ? "lc" : "mixed"},
          {"eff", "e", settings_.eps_smoothing ? "no" : "yes"},
          {"nc", "nc", base::concat(settings_.char_order)},
          {"nw", "nw", base::concat(settings_.word_order)},
          {"space", "s", settings_.whitespace ? "yes" : "no"}};
}

std::unique_ptr<MetricWorker> Chrf::make_worker() const {
  return std::make_unique<ChrfWorker>(*this, settings_);
}

std::unique_ptr<PairwiseScorer> Chrf::make_pairwise_scorer() const {
  return std::make_unique<PairwiseChrf>(*this, settings_);
}

}  // namespace awend::metrics
