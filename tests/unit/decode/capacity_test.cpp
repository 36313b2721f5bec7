// Capacities for given limits.
#include "decode/capacity.hpp"

#include "base/error.hpp"
#include "decode/pages.hpp"
#include "tests/catch.hpp"

namespace awend::decode {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

vulkan::Limits lavapipe() {
  vulkan::Limits limits{};
  limits.storage_range_bytes = 128 * kMiB;
  limits.allocation_bytes = 1024 * kMiB;
  limits.heap_bytes = 2048 * kMiB;
  limits.on_cpu = true;
  return limits;
}

/// The footprint of a Transformer with 8000 tokens, computed independently from its settings.
model::DecodingFootprint model_of(std::string_view name) {
  const model::Config config = model::preset(name);
  const std::uint64_t key_row = config.transformer.heads * config.transformer.d_k * 4;
  return {.vocabulary = 8000,
          .source_token_bytes = config.decoder_layers * 2 * key_row +
                                (8 * config.d_model + config.transformer.d_ff) * 4,
          .target_token_bytes = config.decoder_layers * 2 * key_row,
          .widest_row_bytes = key_row,
          .widest_activation_bytes = config.transformer.d_ff * 4,
          .max_source_tokens = 0xffffffff,
          .max_target_tokens = 10'000};
}

constexpr CapacityRequest kDefault{.batch_tokens = 0, .longest_piece = 1024};

}  // namespace

TEST_CASE("more memory allows more tokens in flight, up to a limit") {
  const SearchSettings search;
  auto limits = lavapipe();
  REQUIRE(default_batch_tokens(limits, model_of("small"), search) == 4096);
  limits.heap_bytes = 256 * kMiB;
  const auto few = default_batch_tokens(limits, model_of("big"), search);
  REQUIRE(few < 1000);
  // Their memory: the caches of self-attention and cross-attention, and the encoder's activations.
  REQUIRE(std::uint64_t{few} * 5 * 6 * 2 * 1024 * 4 < limits.heap_bytes / 4);
  limits = lavapipe();
  limits.on_cpu = false;
  limits.heap_bytes = 64 * 1024 * kMiB;
  limits.storage_range_bytes = 4096 * kMiB;
  REQUIRE(default_batch_tokens(limits, model_of("small"), search) == 16384);
}

TEST_CASE("a step on a processor has as many hypotheses as its weights are worth") {
  auto model = model_of("small");
  const auto rows = [&](std::uint64_t weight_mib, std::uint32_t beam) {
    model.weight_bytes = weight_mib * kMiB;
    return capacity_for(lavapipe(), model, {.beam_size = beam}, kDefault).rows;
  };
  REQUIRE(rows(0, 1) == 64);
  REQUIRE(rows(1000, 1) == 256);
  REQUIRE(rows(1000, 300) == 300);
  // 16 tokens of 3 layers with keys and values of 256 floats: a quarter and a half of them, and
  // 8000 logits.
  REQUIRE(rows(10, 4) == 10 * kMiB / (16 * 3 * 2 * 256 * 4 * 3 / 4 + 8000 * 4));
}

TEST_CASE("the longest piece does not depend on the tokens in flight") {
  const auto model = model_of("small");
  for (const std::uint32_t tokens : {1, 20, 500, 4096, 20'000}) {
    const SearchSettings search;
    const auto capacity =
        capacity_for(lavapipe(), model, search, {.batch_tokens = tokens, .longest_piece = 1024});
    REQUIRE(longest_piece(capacity, model, search, 1024) == 1024);
    REQUIRE(capacity.source_rows >= 1025);
    REQUIRE(capacity.cache_rows >= 4 * 1074);
    REQUIRE(capacity.longest == 1074);
    REQUIRE(capacity.cache_rows % PagePool::kRows == 0);
  }
}

TEST_CASE("a very wide beam has shorter pieces, not more memory than one binding covers") {
  const SearchSettings search{.beam_size = 256};
  const auto model = model_of("small");
  const auto capacity = capacity_for(lavapipe(), model, search, kDefault);
  REQUIRE(std::uint64_t{capacity.cache_rows} * 256 * 4 <= 128 * kMiB);
  REQUIRE(capacity.longest == capacity.cache_rows / 256);
  const auto piece = longest_piece(capacity, model, search, 1024);
  REQUIRE(piece < 1024);
  REQUIRE(search.longest(piece) <= capacity.longest);
}

TEST_CASE("one binding covers the widest activations of all source tokens") {
  auto limits = lavapipe();
  limits.on_cpu = false;
  limits.heap_bytes = 64 * 1024 * kMiB;
  auto model = model_of("small");
  REQUIRE(default_batch_tokens(limits, model, {}) == 16384);
  model.widest_activation_bytes = 16384;
  REQUIRE(default_batch_tokens(limits, model, {}) == 8192);
  for (const std::uint32_t tokens : {0, 100, 20'000}) {
    const auto capacity =
        capacity_for(limits, model, {}, {.batch_tokens = tokens, .longest_piece = 9000});
    REQUIRE(capacity.source_rows == 8192);
  }
}

TEST_CASE("learned positions end where their table does") {
  auto model = model_of("small");
  model.max_source_tokens = model.max_target_tokens = 100;
  const SearchSettings search;
  const auto capacity = capacity_for(lavapipe(), model, search, kDefault);
  REQUIRE(capacity.longest == 100);
  REQUIRE(longest_piece(capacity, model, search, 1024) == 49);
}

TEST_CASE("a limit of the output that does not depend on the input does not shorten pieces") {
  auto model = model_of("small");
  model.max_source_tokens = model.max_target_tokens = 100;
  const SearchSettings search{.max_length_ratio = 0, .max_length_extra = 60};
  const auto capacity = capacity_for(lavapipe(), model, search, kDefault);
  REQUIRE(capacity.longest == 60);
  REQUIRE(longest_piece(capacity, model, search, 1024) == 99);
}

TEST_CASE("a beam is refused if the logits of a step exceed one binding") {
  auto limits = lavapipe();
  limits.storage_range_bytes = kMiB;
  REQUIRE_THROWS_AS(capacity_for(limits, model_of("small"), {.beam_size = 100}, kDefault),
                    base::Error);
}

TEST_CASE("rows of the cache have numbers") {
  auto limits = lavapipe();
  limits.storage_range_bytes = limits.allocation_bytes = limits.heap_bytes = std::uint64_t{1} << 60;
  const auto capacity = capacity_for(limits, model_of("small"), {.beam_size = 4295},
                                     {.batch_tokens = 1'000'000, .longest_piece = 1024});
  REQUIRE(capacity.cache_rows > 4'290'000'000);
}

}  // namespace awend::decode
