#include "data/batch_plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/epoch_order.hpp"

namespace awend::data {
namespace {

// Separates the order of sentences from other random numbers of the same seed: "data" in ASCII,
// above the epoch.
constexpr std::uint64_t kOrderStream = std::uint64_t{0x64617461} << 32;

/// Splits a sequence of pairs before the next one would exceed the capacity.
class Cutter {
 public:
  explicit Cutter(const BatchSettings& settings)
      : batch_tokens_(settings.batch_tokens), batch_sentences_(settings.batch_sentences) {}

  void add(std::uint32_t source_tokens, std::uint32_t target_tokens) {
    base::check(std::max(source_tokens, target_tokens) <= batch_tokens_, "a pair fits in a batch");
    source_ += source_tokens;
    target_ += target_tokens;
    const bool is_full = batch_sentences_ > 0 && place_ - begin_ == batch_sentences_;
    if (is_full || source_ > batch_tokens_ || target_ > batch_tokens_) {
      ranges_.push_back({begin_, place_});
      begin_ = place_;
      source_ = source_tokens;
      target_ = target_tokens;
    }
    ++place_;
  }

  std::vector<batch::RowRange> finish() {
    if (begin_ < place_) ranges_.push_back({begin_, place_});
    return std::move(ranges_);
  }

 private:
  std::uint32_t batch_tokens_, batch_sentences_;
  std::uint64_t source_ = 0, target_ = 0;
  std::uint32_t begin_ = 0, place_ = 0;
  std::vector<batch::RowRange> ranges_;
};

}  // namespace

BatchPlan BatchPlan::of_epoch(const PairsView& corpus, const BatchSettings& settings,
                              std::uint64_t epoch) {
  base::Random random(settings.seed, kOrderStream | epoch);
  const auto entries = epoch_order(corpus, settings.seed, epoch, random);
  BatchPlan plan;
  plan.pairs_.reserve(entries.size());
  Cutter cutter(settings);
  for (const auto& entry : entries) {
    plan.pairs_.push_back(entry.pair);
    cutter.add(entry.source_tokens, entry.target_tokens);
  }
  plan.ranges_ = cutter.finish();
  random.shuffle(std::span(plan.ranges_));
  return plan;
}

BatchPlan BatchPlan::in_order(const PairsView& corpus, const BatchSettings& settings) {
  BatchPlan plan;
  plan.pairs_.reserve(corpus.size());
  Cutter cutter(settings);
  for (std::uint32_t pair = 0; pair < corpus.size(); ++pair) {
    const auto [source, target] = corpus.rows({pair});
    if (source == 0) continue;
    plan.pairs_.push_back(pair);
    cutter.add(source, target);
  }
  plan.ranges_ = cutter.finish();
  return plan;
}

BatchStream::BatchStream(const PairsView& corpus, const BatchSettings& settings,
                         BatchPosition start)
    : corpus_(corpus),
      settings_(settings),
      position_(start),
      plan_(BatchPlan::of_epoch(corpus, settings, start.epoch)) {
  base::check(corpus.size() > 0, "there are sentences to learn from");
  if (plan_.size() == 0) base::fail("no pair takes part in an epoch: all weights are too small");
  if (start.index >= plan_.size()) {
    base::fail("the position to resume at, batch ", start.index, " of epoch ", start.epoch,
               ", is not in the corpus: it has ", plan_.size(), " batches an epoch");
  }
}

std::vector<std::uint32_t> BatchStream::next() {
  const auto batch = plan_[position_.index];
  std::vector<std::uint32_t> pairs(batch.begin(), batch.end());
  if (++position_.index == plan_.size()) {
    position_ = {position_.epoch + 1, 0};
    plan_ = {};  // frees its memory before the next one is allocated
    plan_ = BatchPlan::of_epoch(corpus_, settings_, position_.epoch);
  }
  return pairs;
}

}  // namespace awend::data
