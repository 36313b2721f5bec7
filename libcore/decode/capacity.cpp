#include "decode/capacity.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "decode/pages.hpp"

namespace awend::decode {
namespace {

// Hypotheses of a step, and source tokens in work: more than these a device takes no faster.
constexpr std::uint32_t kMostRowsOfCpu = 256;
constexpr std::uint32_t kMostRowsOfGpu = 1024;
constexpr std::uint32_t kMostTokensOfCpu = 4096;
constexpr std::uint32_t kMostTokensOfGpu = 16384;
constexpr std::uint32_t kFewestTokens = 256;
constexpr std::uint64_t kShareOfMemory = 4;  // the rest is for weights and for others
// Self-attention cache for each source token, in hypotheses: that of a small beam at least.
constexpr std::uint32_t kFewestHypotheses = 4;

/// Rows of a cache that one allocation holds and one binding sees.
std::uint64_t most_cache_rows(const vulkan::Limits& limits, const model::Config& config) {
  const std::uint64_t row_bytes =
      std::uint64_t{config.heads} * std::max(config.d_k, config.d_v) * 4;
  return std::min({limits.storage_range_bytes, limits.texel_range_bytes, limits.allocation_bytes}) /
         row_bytes;
}

}  // namespace

std::uint32_t default_batch_tokens(const vulkan::Limits& limits, const model::Config& config,
                                   const SearchSettings& search) {
  const std::uint64_t cached = std::uint64_t{config.heads} * (config.d_k + config.d_v) * 4;
  const std::uint64_t hypotheses = std::max(search.beam_size, kFewestHypotheses);
  // The encoder's activations: those of one layer, about.
  const std::uint64_t encoded = std::uint64_t{8 * config.d_model + config.d_ff} * 4;
  const std::uint64_t of_token = (1 + hypotheses) * config.decoder_layers * cached + encoded;
  const std::uint64_t held = std::min(limits.heap_bytes / kShareOfMemory / of_token,
                                      most_cache_rows(limits, config) / hypotheses);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      held, kFewestTokens, limits.on_cpu ? kMostTokensOfCpu : kMostTokensOfGpu));
}

StepperCapacity capacity_for(const vulkan::Limits& limits, const model::Config& config,
                             const SearchSettings& search, const CapacityWish& wish,
                             std::uint32_t most_keys) {
  const std::uint64_t beam = search.beam_size;
  // Logits of a step must fit one binding.
  const std::uint64_t logit_rows =
      limits.storage_range_bytes / (std::uint64_t{config.vocabulary + 4} * 4);
  const std::uint64_t rows = std::min<std::uint64_t>(
      std::max<std::uint64_t>(limits.on_cpu ? kMostRowsOfCpu : kMostRowsOfGpu, beam), logit_rows);
  const std::uint64_t most_rows = most_cache_rows(limits, config);
  const std::uint32_t tokens =
      wish.batch_tokens > 0 ? wish.batch_tokens : default_batch_tokens(limits, config, search);
  if (rows < beam || most_rows < beam * PagePool::kRows)
    base::fail("a beam of ", beam, " is too large for this device");

  std::uint64_t longest = std::min(search.longest(wish.longest_piece), most_keys);
  if (config.positions == model::Positions::kLearned)
    longest = std::min<std::uint64_t>(longest, config.longest);
  // Of pages, the last of which one sentence may not fill.
  const std::uint64_t one_sentence = beam * longest + PagePool::kRows;
  const std::uint64_t cache_rows =
      std::min(std::max(std::max<std::uint64_t>(beam, kFewestHypotheses) * tokens, one_sentence),
               most_rows) /
      PagePool::kRows * PagePool::kRows;
  const Rules rules(search.rules, {});
  return {.source_rows = static_cast<std::uint32_t>(
              std::min<std::uint64_t>(std::max(tokens, wish.longest_piece + 1), most_rows)),
          .rows = static_cast<std::uint32_t>(rows),
          .cache_rows = static_cast<std::uint32_t>(cache_rows),
          .longest = static_cast<std::uint32_t>(std::min(longest, cache_rows / beam)),
          .candidates = search.candidates(),
          // Each of all hypotheses for the tokens that it has, and for two more.
          .adjustments = rules.most(0) == 0
                             ? 0
                             : static_cast<std::uint32_t>(cache_rows + rules.most(0) * rows)};
}

StepperCapacity common_capacity(std::span<const StepperCapacity> models) {
  StepperCapacity common = models.front();
  for (const StepperCapacity& model : models) {
    common.source_rows = std::min(common.source_rows, model.source_rows);
    common.rows = std::min(common.rows, model.rows);
    common.cache_rows = std::min(common.cache_rows, model.cache_rows);
    common.longest = std::min(common.longest, model.longest);
    common.adjustments = std::min(common.adjustments, model.adjustments);
  }
  return common;
}

StepperCapacity capacity_for(const nn::Engine& engine, const Ensemble& ensemble,
                             const SearchSettings& search, const CapacityWish& wish) {
  vulkan::Limits limits = engine.device.limits();
  limits.heap_bytes /= ensemble.members.size();
  std::vector<StepperCapacity> held;
  for (const auto& member : ensemble.members) {
    const model::Config& config = member.transformer->config();
    held.push_back(capacity_for(limits, config, search, wish,
                                nn::most_keys(engine, {config.heads, config.d_k, config.d_v, 0})));
  }
  return common_capacity(held);
}

std::uint32_t longest_piece(const StepperCapacity& capacity, const model::Config& config,
                            const SearchSettings& search, std::uint32_t wished) {
  const bool learned = config.positions == model::Positions::kLearned;
  const std::uint32_t source =
      learned ? std::min(capacity.source_rows, config.longest) : capacity.source_rows;
  if (source > wished && capacity.longest >= search.longest(wished)) return wished;
  // Room for the extra length that the translation may have, where that leaves anything.
  const std::uint32_t held = std::min(source, capacity.longest);
  const std::uint32_t extra = std::min(search.max_length_extra, held / 2);
  return std::min(std::max(held - extra, 2u) - 1, wished);
}

}  // namespace awend::decode
