#include "data/batch_plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"

namespace awend::data {
namespace {

// Keeps the order of sentences apart from all other chance that one seed decides: "data" in ASCII,
// above the epoch.
constexpr std::uint64_t kStream = std::uint64_t{0x64617461} << 32;

/// What decides a pair's place among the lengths: the longer of its two sides.
std::uint32_t length(const SentencePairs& corpus, std::size_t pair) {
  return std::max(corpus.source.tokens(pair), corpus.target.tokens(pair));
}

/// The class of each length up to `longest`: classes grow by a tenth and begin at eight tokens, so
/// that a class of short sentences is not a handful of lengths that always meet.
std::vector<std::uint32_t> length_classes(std::uint32_t longest) {
  std::vector<std::uint32_t> classes(std::size_t{longest} + 1);
  std::uint32_t limit = 8;
  for (std::uint32_t tokens = 1; tokens <= longest; ++tokens) {
    classes[tokens] = classes[tokens - 1];
    if (tokens > limit) {
      ++classes[tokens];
      limit = std::max(limit + 1, limit + limit / 10);
    }
  }
  return classes;
}

/// Sorts pairs by the class of their length and keeps the order within a class: a counting sort.
void sort_by_length(const SentencePairs& corpus, std::vector<std::uint32_t>& pairs) {
  std::uint32_t longest = 0;
  for (const auto pair : pairs) longest = std::max(longest, length(corpus, pair));
  const auto classes = length_classes(longest);
  std::vector<std::size_t> places(std::size_t{classes.back()} + 2);
  for (const auto pair : pairs) ++places[classes[length(corpus, pair)] + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<std::uint32_t> sorted(pairs.size());
  for (const auto pair : pairs) sorted[places[classes[length(corpus, pair)]]++] = pair;
  pairs.swap(sorted);
}

}  // namespace

BatchPlan BatchPlan::of_epoch(const SentencePairs& corpus, const BatchSettings& settings,
                              std::uint64_t epoch) {
  base::Random random(settings.seed, kStream | epoch);
  BatchPlan plan;
  plan.pairs_ = random.permutation(static_cast<std::uint32_t>(corpus.size()));
  sort_by_length(corpus, plan.pairs_);
  plan.cut(corpus, settings.batch_tokens);
  random.shuffle(std::span(plan.ranges_));
  return plan;
}

BatchPlan BatchPlan::in_order(const SentencePairs& corpus, const BatchSettings& settings) {
  BatchPlan plan;
  plan.pairs_.resize(corpus.size());
  std::iota(plan.pairs_.begin(), plan.pairs_.end(), 0U);
  plan.cut(corpus, settings.batch_tokens);
  return plan;
}

void BatchPlan::cut(const SentencePairs& corpus, std::uint32_t batch_tokens) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t place = 0; place < pairs_.size(); ++place) {
    const auto source_tokens = corpus.source.tokens(pairs_[place]);
    const auto target_tokens = corpus.target.tokens(pairs_[place]);
    base::check(std::max(source_tokens, target_tokens) <= batch_tokens, "a pair fits in a batch");
    if (source + source_tokens > batch_tokens || target + target_tokens > batch_tokens) {
      ranges_.push_back({begin, place});
      begin = place;
      source = target = 0;
    }
    source += source_tokens;
    target += target_tokens;
  }
  if (begin < pairs_.size()) ranges_.push_back({begin, static_cast<std::uint32_t>(pairs_.size())});
}

BatchStream::BatchStream(const SentencePairs& corpus, const BatchSettings& settings,
                         BatchPosition start)
    : corpus_(&corpus),
      settings_(settings),
      position_(start),
      plan_(BatchPlan::of_epoch(corpus, settings, start.epoch)) {
  base::check(corpus.size() > 0, "there are sentences to learn from");
  if (start.index >= plan_.size()) {
    base::fail("the position to resume at, batch ", start.index, " of epoch ", start.epoch,
               ", is not in the corpus: it has ", plan_.size(), " batches an epoch");
  }
}

void BatchStream::next(Batch& batch) {
  pack_batch(*corpus_, plan_[position_.index], batch);
  if (++position_.index < plan_.size()) return;
  position_ = {position_.epoch + 1, 0};
  plan_ = BatchPlan::of_epoch(*corpus_, settings_, position_.epoch);
}

}  // namespace awend::data
