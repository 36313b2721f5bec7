#include "train/validation.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "base/signals.hpp"
#include "data/batch.hpp"

namespace awend::train {
namespace {

// Of a batch on the processor, or of the longest pair.  Smaller ones are slow.
constexpr std::uint32_t kBatchTokens = 1024;

forward::PassSettings pass_of(const nn::Engine& engine, const data::PairsView& pairs,
                              std::uint32_t batch_tokens) {
  const std::uint32_t longest = pairs.longest();
  const std::uint32_t enough = std::max(kBatchTokens, longest);
  return {.rows = engine.on_processor() ? std::min(batch_tokens, enough) : batch_tokens,
          .longest = longest};
}

}  // namespace

Validation::Validation(nn::Engine& engine, const model::ModelView& model,
                       const data::PairsView& pairs, const Settings& settings)
    : Validation(engine, model, pairs, pass_of(engine, pairs, settings.batch_tokens),
                 std::min(settings.budget_bytes, engine.usable_bytes())) {}

Validation::Validation(nn::Engine& engine, const model::ModelView& model,
                       const data::PairsView& pairs, const forward::PassSettings& settings,
                       std::uint64_t budget_bytes)
    : pairs_(pairs), plan_(data::BatchPlan::in_order(pairs, {.batch_tokens = settings.rows})) {
  const std::size_t most = std::clamp<std::size_t>(plan_.size(), 1, engine.concurrency());
  while (passes_.size() < most) {
    auto pass = std::make_unique<forward::Pass>(engine, model, settings);
    if (!passes_.empty() && engine.allocated_bytes() + pass->plan() > budget_bytes) break;
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
      base::stop_if_requested();
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
