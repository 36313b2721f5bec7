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

/// Rows of a cache that one allocation holds and one binding covers.
std::uint64_t most_cache_rows(const vulkan::Limits& limits, const model::DecodingFootprint& model) {
  return std::min({limits.storage_range_bytes, limits.texel_range_bytes, limits.allocation_bytes}) /
         model.widest_row_bytes;
}

}  // namespace

std::uint32_t default_batch_tokens(const vulkan::Limits& limits,
                                   const model::DecodingFootprint& model,
                                   const SearchSettings& search) {
  const std::uint64_t hypotheses = std::max(search.beam_size, kFewestHypotheses);
  const std::uint64_t of_token = model.source_token_bytes + hypotheses * model.target_token_bytes;
  const std::uint64_t held = std::min(limits.heap_bytes / kShareOfMemory / of_token,
                                      most_cache_rows(limits, model) / hypotheses);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      held, kFewestTokens, limits.on_cpu ? kMostTokensOfCpu : kMostTokensOfGpu));
}

StepperCapacity capacity_for(const vulkan::Limits& limits, const model::DecodingFootprint& model,
                             const SearchSettings& search, const CapacityWish& wish) {
  const std::uint64_t beam = search.beam_size;
  // Logits of a step must fit one binding.
  const std::uint64_t logit_rows =
      limits.storage_range_bytes / (std::uint64_t{model.vocabulary + 4} * 4);
  const std::uint64_t rows = std::min<std::uint64_t>(
      std::max<std::uint64_t>(limits.on_cpu ? kMostRowsOfCpu : kMostRowsOfGpu, beam), logit_rows);
  const std::uint64_t most_rows = most_cache_rows(limits, model);
  const std::uint32_t tokens =
      wish.batch_tokens > 0 ? wish.batch_tokens : default_batch_tokens(limits, model, search);
  if (rows < beam || most_rows < beam * PagePool::kRows)
    base::fail("a beam of ", beam, " is too large for this device");

  const std::uint64_t longest =
      std::min(search.longest(wish.longest_piece), model.max_target_tokens);
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
  for (const StepperCapacity& each : models) {
    common.source_rows = std::min(common.source_rows, each.source_rows);
    common.rows = std::min(common.rows, each.rows);
    common.cache_rows = std::min(common.cache_rows, each.cache_rows);
    common.longest = std::min(common.longest, each.longest);
    common.adjustments = std::min(common.adjustments, each.adjustments);
  }
  return common;
}

StepperCapacity capacity_for(const nn::Engine& engine, const Ensemble& ensemble,
                             const SearchSettings& search, const CapacityWish& wish) {
  vulkan::Limits limits = engine.device.limits();
  limits.heap_bytes /= ensemble.members.size();
  std::vector<StepperCapacity> held;
  for (const auto& member : ensemble.members) {
    held.push_back(capacity_for(limits, member.seq2seq->footprint(engine), search, wish));
  }
  return common_capacity(held);
}

std::uint32_t longest_piece(const StepperCapacity& capacity, const model::DecodingFootprint& model,
                            const SearchSettings& search, std::uint32_t wished) {
  const std::uint32_t source = std::min(capacity.source_rows, model.max_source_tokens);
  if (source > wished && capacity.longest >= search.longest(wished)) return wished;
  // Room for the extra length that the translation may have, where that leaves anything.
  const std::uint32_t held = std::min(source, capacity.longest);
  const std::uint32_t extra = std::min(search.max_length_extra, held / 2);
  return std::min(std::max(held - extra, 2u) - 1, wished);
}

}  // namespace awend::decode
