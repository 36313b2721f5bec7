#include "train/validation.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "data/batch.hpp"

namespace awend::train {
namespace {

// Of a batch on the processor, or of the longest pair.  Smaller ones are slow.
constexpr std::uint32_t kBatchTokens = 1024;

std::uint32_t batch_tokens_of(const nn::Engine& engine, const data::PairsView& pairs,
                              std::uint32_t most) {
  if (!engine.on_processor()) return most;
  return std::min(most, std::max(kBatchTokens, pairs.longest()));
}

}  // namespace

Validation::Validation(nn::Engine& engine, const model::ModelView& model,
                       const data::PairsView& pairs, std::uint32_t batch_tokens)
    : pairs_(pairs),
      plan_(data::BatchPlan::in_order(
          pairs, {.batch_tokens = batch_tokens_of(engine, pairs, batch_tokens)})) {
  const forward::PassSettings settings{.rows = batch_tokens_of(engine, pairs, batch_tokens),
                                       .longest = pairs.longest()};
  const std::size_t most = std::clamp<std::size_t>(plan_.size(), 1, engine.concurrency());
  while (passes_.size() < most) {
    auto pass = std::make_unique<forward::Pass>(engine, model, settings);
    // One is enough if there is no memory for others.
    if (!passes_.empty() && engine.allocated_bytes() + pass->plan() > engine.usable_bytes()) break;
    pass->compile();
    passes_.push_back(std::move(pass));
  }
  if (passes_.size() == 1) return;
  for (auto& pass : passes_) pass->program().use_threads(nn::Threads::kOne);
}

forward::Losses Validation::run() {
  std::vector<forward::Losses> losses(plan_.size());
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(static_cast<unsigned>(passes_.size()), [&](unsigned worker) {
    forward::Pass& pass = *passes_[worker];
    batch::PackedBatch batch;
    for (std::size_t i = next++; i < losses.size(); i = next++) {
      data::pack_batch(pairs_, plan_[i], batch);
      pass.write(batch);
      pass.replay();
      losses[i] = pass.losses();
    }
  });
  forward::Losses sum;
  for (const auto& of_batch : losses) sum += of_batch;
  return sum;
}

}  // namespace awend::train
