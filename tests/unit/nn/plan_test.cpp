// Memory plans: blocks with overlapping lifetimes never overlap, other blocks share memory.
#include "nn/plan.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::nn {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kSlab = 1 << 20;

bool live_together(const Block& a, const Block& b) {
  return a.first <= b.last && b.first <= a.last;
}

TEST_CASE("blocks without common lifetime share memory", "[plan]") {
  const std::vector<Block> chain = {{1000, 0, 1}, {1000, 2, 3}, {1000, 4, 5}};
  const MemoryPlan plan = plan_memory(chain, kAlignment, kSlab);
  CHECK(plan.offsets == std::vector<std::uint64_t>{0, 0, 0});
  CHECK(plan.size_bytes == 1000);
}

TEST_CASE("a lifetime includes its last launch", "[plan]") {
  const std::vector<Block> touching = {{1000, 0, 2}, {1000, 2, 3}};
  const MemoryPlan plan = plan_memory(touching, kAlignment, kSlab);
  CHECK(plan.offsets == std::vector<std::uint64_t>{0, 1024});
  CHECK(plan.size_bytes == 2024);
}

TEST_CASE("a block is placed in a gap that is large enough", "[plan]") {
  // The large ones end at 4096 and 8192; the lifetime of the second ends early, so that the small
  // one fits in its place.
  const std::vector<Block> blocks = {{4096, 0, 9}, {2048, 0, 4}, {2048, 0, 9}, {1024, 5, 9}};
  const MemoryPlan plan = plan_memory(blocks, kAlignment, kSlab);
  CHECK(plan.offsets == std::vector<std::uint64_t>{0, 4096, 6144, 4096});
  CHECK(plan.size_bytes == 8192);
}

TEST_CASE("no block crosses a slab", "[plan]") {
  const std::vector<Block> blocks = {{600, 0, 9}, {600, 0, 9}, {300, 0, 9}};
  const MemoryPlan plan = plan_memory(blocks, 64, 1024);
  CHECK(plan.offsets == std::vector<std::uint64_t>{0, 1024, 640});
  CHECK(plan.size_bytes == 1624);
}

TEST_CASE("a plan without blocks needs no memory", "[plan]") {
  CHECK(plan_memory({}, kAlignment, kSlab).size_bytes == 0);
}

TEST_CASE("a block larger than a slab is refused", "[plan]") {
  const std::vector<Block> blocks = {{2000, 0, 0}};
  CHECK(
      tests::message_of([&] {
        plan_memory(blocks, 64, 1024);
      }).starts_with("a tensor of 2000 bytes is larger than one allocation of this device (1024)"));
}

// All guarantees of plan_memory() for 50 random lists.
TEST_CASE("plans of random lists are valid", "[plan]") {
  base::Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Block> blocks;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0, count = 1 + random.below(60); i < count; ++i) {
      const std::uint32_t first = random.below(100);
      blocks.push_back({1 + random.below(3000), first, first + random.below(20)});
      sum += (blocks.back().size_bytes + kAlignment - 1) / kAlignment * kAlignment;
    }
    constexpr std::uint64_t slab = 4096;
    const MemoryPlan plan = plan_memory(blocks, kAlignment, slab);
    REQUIRE(plan.offsets.size() == blocks.size());
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint64_t begin_i = plan.offsets[i], end_i = begin_i + blocks[i].size_bytes;
      REQUIRE(begin_i % kAlignment == 0);
      REQUIRE(begin_i / slab == (end_i - 1) / slab);
      end = std::max(end, end_i);
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint64_t begin_j = plan.offsets[j], end_j = begin_j + blocks[j].size_bytes;
        if (live_together(blocks[i], blocks[j])) REQUIRE((end_i <= begin_j || end_j <= begin_i));
      }
    }
    REQUIRE(plan.size_bytes == end);
    // Slabs of 4096 bytes leave at most a gap of one block in each.
    REQUIRE(plan.size_bytes <= 4 * sum + slab);
  }
}

}  // namespace
}  // namespace awend::nn
