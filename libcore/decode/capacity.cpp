#include "decode/capacity.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "decode/pages.hpp"

namespace awend::decode {
namespace {

// Hypotheses of a step, and source tokens in flight.  More do not increase throughput.
constexpr std::uint64_t kMinRowsOfCpu = 64;
constexpr std::uint64_t kMaxRowsOfCpu = 256;
constexpr std::uint64_t kMaxRowsOfGpu = 1024;
constexpr std::uint32_t kMaxTokensOfCpu = 4096;
constexpr std::uint32_t kMaxTokensOfGpu = 16384;
constexpr std::uint32_t kMinTokens = 256;
constexpr std::uint64_t kShareOfMemory = 4;  // the rest is for weights and other programs
// The self-attention cache per source token, in hypotheses: at least that of a small beam.
constexpr std::uint32_t kMinHypotheses = 4;

/// Rows of a cache that one allocation holds and one binding covers.
std::uint64_t max_cache_rows(const vulkan::Limits& limits, const model::DecodingFootprint& model) {
  return limits.tensor_bytes() / model.widest_row_bytes;
}

/// Rows of the encoder's activations that one allocation holds and one binding covers, and of the
/// caches.
std::uint64_t max_source_rows(const vulkan::Limits& limits, const model::DecodingFootprint& model) {
  return limits.tensor_bytes() / std::max(model.widest_row_bytes, model.widest_activation_bytes);
}

/// Hypotheses of a step on a processor.  It reads the weights once, and caches and logits of each
/// hypothesis: beyond as many bytes as the weights have, more hypotheses only fill its caches.
std::uint64_t rows_of_cpu(const model::DecodingFootprint& model, std::uint64_t beam) {
  constexpr std::uint64_t kTokens = 16;  // of a sentence
  const std::uint64_t sentence = kTokens * model.target_token_bytes;
  const std::uint64_t of_row =
      sentence / beam + sentence / 2 + std::uint64_t{model.vocabulary} * sizeof(float);
  return std::clamp(model.weight_bytes / of_row, kMinRowsOfCpu, kMaxRowsOfCpu);
}

}  // namespace

std::uint32_t default_batch_tokens(const vulkan::Limits& limits,
                                   const model::DecodingFootprint& model,
                                   const SearchSettings& search) {
  const std::uint64_t hypotheses = std::max(search.beam_size, kMinHypotheses);
  const std::uint64_t of_token = model.source_token_bytes + hypotheses * model.target_token_bytes;
  const std::uint64_t held =
      std::min({limits.heap_bytes / kShareOfMemory / of_token,
                max_cache_rows(limits, model) / hypotheses, max_source_rows(limits, model)});
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      held, kMinTokens, limits.on_cpu ? kMaxTokensOfCpu : kMaxTokensOfGpu));
}

SearchCapacity capacity_for(const vulkan::Limits& limits, const model::DecodingFootprint& model,
                            const SearchSettings& search, const CapacityRequest& request) {
  const std::uint64_t beam = search.beam_size;
  // Logits of a step must fit one binding.
  const std::uint64_t logit_rows =
      limits.storage_range_bytes / (std::uint64_t{model.vocabulary + 4} * 4);
  const std::uint64_t rows = std::min<std::uint64_t>(
      std::max(limits.on_cpu ? rows_of_cpu(model, beam) : kMaxRowsOfGpu, beam), logit_rows);
  // Rows are numbered in 32 bits.
  const std::uint64_t max_rows = std::min<std::uint64_t>(max_cache_rows(limits, model), UINT32_MAX);
  const std::uint32_t tokens =
      request.batch_tokens > 0 ? request.batch_tokens : default_batch_tokens(limits, model, search);
  if (rows < beam || max_rows < beam * PagePool::kRows)
    base::fail("a beam of ", beam, " is too large for this device");

  const std::uint64_t longest =
      std::min(search.longest(request.longest_piece), model.max_target_tokens);
  // In whole pages; a sentence may leave its last page partly empty.
  const std::uint64_t one_sentence = beam * longest + PagePool::kRows;
  const std::uint64_t cache_rows =
      std::min(std::max(std::max<std::uint64_t>(beam, kMinHypotheses) * tokens, one_sentence),
               max_rows) /
      PagePool::kRows * PagePool::kRows;
  const LogitRules rules(search.rules, {});
  return {.source_rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(
              std::max(tokens, request.longest_piece + 1), max_source_rows(limits, model))),
          .rows = static_cast<std::uint32_t>(rows),
          .cache_rows = static_cast<std::uint32_t>(cache_rows),
          .longest = static_cast<std::uint32_t>(std::min(longest, cache_rows / beam)),
          .candidates = search.candidates(),
          // One for each token of each hypothesis, and two more.
          .adjustments = rules.max_changes(0) == 0 ? 0
                                                   : static_cast<std::uint32_t>(
                                                         cache_rows + rules.max_changes(0) * rows)};
}

SearchCapacity common_capacity(std::span<const SearchCapacity> models) {
  SearchCapacity common = models.front();
  for (const SearchCapacity& each : models) {
    common.source_rows = std::min(common.source_rows, each.source_rows);
    common.rows = std::min(common.rows, each.rows);
    common.cache_rows = std::min(common.cache_rows, each.cache_rows);
    common.longest = std::min(common.longest, each.longest);
    common.adjustments = std::min(common.adjustments, each.adjustments);
  }
  return common;
}

SearchCapacity capacity_for(const nn::Engine& engine, const Ensemble& ensemble,
                            const SearchSettings& search, const CapacityRequest& request) {
  vulkan::Limits limits = engine.limits();
  limits.heap_bytes /= ensemble.members.size() * engine.concurrency();
  std::vector<SearchCapacity> held;
  for (const auto& member : ensemble.members) {
    held.push_back(capacity_for(limits, member.footprint(engine), search, request));
  }
  return common_capacity(held);
}

std::uint32_t longest_piece(const SearchCapacity& capacity, const model::DecodingFootprint& model,
                            const SearchSettings& search, std::uint32_t requested) {
  const std::uint32_t source = std::min(capacity.source_rows, model.max_source_tokens);
  const std::uint32_t longest = std::min(requested, std::max(source, 2u) - 1);
  if (capacity.longest >= search.longest(longest)) return longest;
  // Reserves the extra length that the translation may have, up to half of the capacity.
  const std::uint32_t held = std::min(source, capacity.longest);
  const std::uint32_t extra = std::min(search.max_length_extra, held / 2);
  return std::min(std::max(held - extra, 2u) - 1, requested);
}

}  // namespace awend::decode
