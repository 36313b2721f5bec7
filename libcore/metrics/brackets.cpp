#include "metrics/brackets.hpp"

#include <algorithm>
#include <compare>

#include "base/error.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

using Equals = std::map<std::string, std::string, std::less<>>;

// The numbers of a segment, first for all sentences, then for short ones.
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

struct Span {
  std::string_view label;
  std::size_t begin, end;
  auto operator<=>(const Span&) const = default;
};

// A tree as far as it counts.
struct CountedTree {
  std::vector<Span> spans;  // sorted
  std::vector<ParseTree::Leaf> leaves;
  std::size_t length = 0;  // in words, most punctuation included
};

std::string_view without_function(std::string_view label) {
  return label.empty() ? label : label.substr(0, label.find_first_of("-=", 1));
}

CountedTree counted(const ParseTree& tree, const BracketSettings& settings, const Equals& equal) {
  CountedTree result;
  std::vector<std::size_t> kept_before = {0};
  for (const auto& leaf : tree.leaves) {
    if (!settings.deleted_for_length.contains(leaf.tag)) ++result.length;
    if (!settings.deleted.contains(leaf.tag)) result.leaves.push_back(leaf);
    kept_before.push_back(result.leaves.size());
  }
  for (const auto& constituent : tree.constituents) {
    auto label = without_function(constituent.label);
    if (label.empty() || settings.deleted.contains(label)) continue;
    if (const auto found = equal.find(label); found != equal.end()) label = found->second;
    const auto begin = kept_before[constituent.begin], end = kept_before[constituent.end];
    if (begin == end) continue;
    result.spans.push_back({settings.labeled ? label : std::string_view(), begin, end});
  }
  std::ranges::sort(result.spans);
  return result;
}

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

bool same_words(const CountedTree& a, const CountedTree& b) {
  return std::ranges::equal(a.leaves, b.leaves, {}, &ParseTree::Leaf::word, &ParseTree::Leaf::word);
}

class BracketsWorker : public MetricWorker {
 public:
  BracketsWorker(const BracketSettings& settings, const Equals& equal)
      : settings_(settings), equal_(equal) {}

  void set_references(std::span<const std::string_view> references) override {
    if (references.size() != 1) base::fail("a parse is compared with one reference");
    line_ = references[0];
    reference_ = counted(parse_tree(line_, settings_.form, "reference"), settings_, equal_);
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    std::ranges::fill(statistics, 0);
    const auto all = statistics.first(kNumbers);
    compare(hypothesis, all);
    if (reference_.length <= static_cast<std::size_t>(settings_.cutoff_length))
      std::ranges::copy(all, statistics.begin() + kNumbers);
  }

 private:
  void compare(std::string_view line, std::span<std::int64_t> numbers) {
    ParseTree tree;
    try {
      tree = parse_tree(line, settings_.form, "hypothesis");
    } catch (const base::Error&) {
      if (settings_.damaged == DamagedTree::kRefused) throw;
      numbers[kErrors] = 1;
      return;
    }
    if (tree.leaves.empty()) {
      numbers[kSkipped] = 1;
      return;
    }
    const auto hypothesis = counted(tree, settings_, equal_);
    if (!same_words(reference_, hypothesis)) {
      numbers[kErrors] = 1;
      return;
    }
    numbers[kSentences] = 1;
    numbers[kInReference] = std::ssize(reference_.spans);
    numbers[kInHypothesis] = std::ssize(hypothesis.spans);
    numbers[kMatched] = in_common(reference_.spans, hypothesis.spans);
    numbers[kComplete] = reference_.spans == hypothesis.spans ? 1 : 0;
    numbers[kWords] = std::ssize(reference_.leaves);
    for (std::size_t i = 0; i < reference_.leaves.size(); ++i)
      numbers[kTagged] += reference_.leaves[i].tag == hypothesis.leaves[i].tag ? 1 : 0;
  }

  BracketSettings settings_;
  Equals equal_;
  std::string line_;  // what reference_ looks at
  CountedTree reference_;
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

Brackets::Brackets(BracketSettings settings) : settings_(std::move(settings)) {
  const auto standing_for = [this](const std::string& label) {
    const auto found = equal_.find(label);
    return found == equal_.end() ? label : found->second;
  };
  for (const auto& [a, b] : settings_.equal) {
    const auto old = standing_for(b), now = standing_for(a);
    for (auto& [label, other] : equal_) {
      if (other == old) other = now;
    }
    equal_[old] = equal_[a] = equal_[b] = now;
  }
}

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

bool Brackets::too_many_errors(std::span<const std::int64_t> sums) const {
  return sums[kErrors] > settings_.max_errors;
}

std::vector<SignatureField> Brackets::signature() const {
  const auto linearised = settings_.form == TreeForm::kLinearised;
  return {{"trees", "t", linearised ? "linearised" : "bracketed"},
          {"labels", "l", settings_.labeled ? "yes" : "no"},
          {"deleted", "d", base::concat(settings_.deleted.size())},
          {"equal", "e", base::concat(settings_.equal.size())}};
}

std::unique_ptr<MetricWorker> Brackets::make_worker() const {
  return std::make_unique<BracketsWorker>(settings_, equal_);
}

}  // namespace awend::metrics
