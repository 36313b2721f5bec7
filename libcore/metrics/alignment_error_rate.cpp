#include "metrics/alignment_error_rate.hpp"

#include <set>

#include "base/error.hpp"
#include "metrics/numbers.hpp"
#include "text/word_alignment.hpp"

namespace awend::metrics {
namespace {

// The statistics of a segment.
enum Number : std::size_t { kLinks, kSure, kSureHits, kPossibleHits, kNumbers };

using Links = std::set<text::Link>;

text::WordAlignment parse(std::string_view line, std::string_view what) {
  return base::with_name(what, [&] { return text::parse_word_alignment(line); });
}

class AlignmentWorker : public MetricWorker {
 public:
  void set_references(std::span<const std::string_view> references) override {
    if (references.size() != 1) base::fail("an alignment is compared with one reference");
    const auto gold = parse(references[0], "reference");
    sure_ = Links(gold.sure.begin(), gold.sure.end());
    possible_ = Links(gold.possible.begin(), gold.possible.end());
    possible_.insert(sure_.begin(), sure_.end());
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    const auto parsed = parse(hypothesis, "hypothesis");
    Links links(parsed.sure.begin(), parsed.sure.end());
    links.insert(parsed.possible.begin(), parsed.possible.end());
    statistics[kLinks] = std::ssize(links);
    statistics[kSure] = std::ssize(sure_);
    statistics[kSureHits] = statistics[kPossibleHits] = 0;
    for (const auto& link : links) {
      statistics[kSureHits] += static_cast<std::int64_t>(sure_.count(link));
      statistics[kPossibleHits] += static_cast<std::int64_t>(possible_.count(link));
    }
  }

 private:
  Links sure_, possible_;
};

double percent(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

std::size_t AlignmentErrorRate::width() const {
  return kNumbers;
}

Score AlignmentErrorRate::score(std::span<const std::int64_t> sums) const {
  const auto all = sums[kLinks] + sums[kSure];
  const double rate = all == 0 ? 0 : 100 - percent(sums[kSureHits] + sums[kPossibleHits], all);
  return {rate, base::concat("(precision = ", fixed(percent(sums[kPossibleHits], sums[kLinks]), 1),
                             " recall = ", fixed(percent(sums[kSureHits], sums[kSure]), 1),
                             " links = ", sums[kLinks], " sure = ", sums[kSure], ")")};
}

std::unique_ptr<MetricWorker> AlignmentErrorRate::make_worker() const {
  return std::make_unique<AlignmentWorker>();
}

}  // namespace awend::metrics
