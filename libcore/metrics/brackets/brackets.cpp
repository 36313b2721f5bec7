#include "metrics/brackets/brackets.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "metrics/brackets/counted_tree.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

using Span = TreeCounter::Span;

// The statistics of a segment, first for all sentences, then for short ones.
enum Number : std::size_t {
  kSentences,
  kErrors,
  kSkipped,
  kInReference,
  kInHypothesis,
  kMatched,
  kComplete,
  kWords,
  kTagged,
  kNumbers
};

std::int64_t in_common(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::int64_t common = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const auto order = *i <=> *j;
    if (order == 0) ++common;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return common;
}

class BracketsWorker : public MetricWorker {
 public:
  explicit BracketsWorker(const BracketSettings& settings)
      : settings_(settings), counter_(settings) {}

  void set_references(std::span<const std::string_view> references) override {
    if (references.size() != 1) base::fail("a parse is compared with one reference");
    line_ = references[0];
    reference_ = parse_tree(line_, settings_.form, "reference");
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    std::ranges::fill(statistics, 0);
    const auto all = statistics.first(kNumbers);
    read(hypothesis, all);
    if (counter_.length(reference_) <= static_cast<std::size_t>(settings_.cutoff_length))
      std::ranges::copy(all, statistics.begin() + kNumbers);
  }

 private:
  void read(std::string_view line, std::span<std::int64_t> numbers) const {
    ParseTree tree;
    try {
      tree = parse_tree(line, settings_.form, "hypothesis");
    } catch (const base::Error&) {
      if (settings_.damaged == DamagedTree::kRefused) throw;
      numbers[kErrors] = 1;
      return;
    }
    compare(tree, numbers);
  }

  void compare(const ParseTree& tree, std::span<std::int64_t> numbers) const {
    auto kept = counter_.kept(reference_), kept_too = counter_.kept(tree);
    const auto words = std::ranges::count(kept, true),
               words_too = std::ranges::count(kept_too, true);
    if (words_too == 0) {
      numbers[kSkipped] = 1;
      return;
    }
    if (words != words_too) counter_.keep_quotes(reference_, kept, tree, kept_too);
    const auto reference = counter_.count(reference_, kept);
    const auto hypothesis = counter_.count(tree, kept_too);
    using Leaf = ParseTree::Leaf;
    if (!std::ranges::equal(reference.leaves, hypothesis.leaves, {}, &Leaf::word, &Leaf::word)) {
      numbers[kErrors] = 1;
      return;
    }
    numbers[kSentences] = 1;
    numbers[kInReference] = std::ssize(reference.spans);
    numbers[kInHypothesis] = std::ssize(hypothesis.spans);
    numbers[kMatched] = in_common(reference.spans, hypothesis.spans);
    numbers[kComplete] = reference.spans == hypothesis.spans ? 1 : 0;
    numbers[kWords] = std::ssize(reference.leaves);
    for (std::size_t i = 0; i < reference.leaves.size(); ++i)
      numbers[kTagged] += reference.leaves[i].tag == hypothesis.leaves[i].tag ? 1 : 0;
  }

  BracketSettings settings_;
  TreeCounter counter_;
  std::string line_;  // the text of reference_
  ParseTree reference_;
};

double per_cent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string described(const BracketReport& report) {
  return base::concat("R = ", fixed(report.recall, 2), " P = ", fixed(report.precision, 2),
                      " complete = ", fixed(report.complete, 2),
                      " tags = ", fixed(report.tagging, 2), " sentences = ", report.sentences,
                      " errors = ", report.errors, " skipped = ", report.skipped);
}

}  // namespace

std::size_t Brackets::width() const {
  return 2 * kNumbers;
}

BracketReport Brackets::report(std::span<const std::int64_t> sums, Sentences which) const {
  const auto numbers = sums.subspan(which == Sentences::kAll ? 0 : sums.size() / 2, kNumbers);
  BracketReport report{.sentences = numbers[kSentences],
                       .errors = numbers[kErrors],
                       .skipped = numbers[kSkipped],
                       .recall = per_cent(numbers[kMatched], numbers[kInReference]),
                       .precision = per_cent(numbers[kMatched], numbers[kInHypothesis]),
                       .complete = per_cent(numbers[kComplete], numbers[kSentences]),
                       .tagging = per_cent(numbers[kTagged], numbers[kWords])};
  report.f1 = per_cent(2 * numbers[kMatched], numbers[kInReference] + numbers[kInHypothesis]);
  return report;
}

Score Brackets::score(std::span<const std::int64_t> sums) const {
  const auto all = report(sums, Sentences::kAll), brief = report(sums, Sentences::kShort);
  return {.value = all.f1,
          .details = base::concat("(", described(all), ") up to ", settings_.cutoff_length,
                                  " words: ", fixed(brief.f1, 2), " (", described(brief), ")")};
}

std::vector<SignatureField> Brackets::signature() const {
  const auto linearized = settings_.form == TreeForm::kLinearized;
  return {{"trees", "t", linearized ? "linearised" : "bracketed"},
          {"labels", "l", settings_.labeled ? "yes" : "no"},
          {"deleted", "d", base::concat(settings_.deleted.size())},
          {"equal", "e", base::concat(settings_.equal.size())}};
}

std::unique_ptr<MetricWorker> Brackets::make_worker() const {
  return std::make_unique<BracketsWorker>(settings_);
}

}  // namespace awend::metrics
