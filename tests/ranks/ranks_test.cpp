// Communication between ranks.  Run by mpirun with 2 and 3 processes, and as a single process.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "tests/catch.hpp"
#include "train/ranks/join_ranks.hpp"

namespace awend::tests {
namespace {

/// MPI starts once in a process.
train::Ranks& ranks() {
  static const auto joined = train::join_ranks();
  return *joined;
}

/// The value of `rank` at index `i`, of varied magnitudes, so that another order of summation is
/// detected.
float addend(std::uint32_t rank, std::size_t i) {
  const auto mixed = static_cast<std::uint32_t>(i * 2654435761u + rank * 40503u);
  return std::ldexp(static_cast<float>(mixed % 65521) - 32760.0f,
                    static_cast<int>(mixed >> 16) % 40 - 20);
}

std::vector<float> addends(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = addend(ranks().rank(), i);
  return values;
}

float sum_in_order(std::size_t i) {
  float sum = addend(0, i);
  for (std::uint32_t rank = 1; rank < ranks().size(); ++rank) sum += addend(rank, i);
  return sum;
}

void finish(train::Sum& sum) {
  while (!sum.advance()) {
  }
}

TEST_CASE("all processes are ranks", "[ranks]") {
  const char* count = std::getenv("AWEND_TEST_RANKS");
  CHECK(std::to_string(ranks().size()) == (count ? count : "1"));
}

TEST_CASE("sums are those of all ranks, in their order, bit for bit", "[ranks]") {
  // Fewer numbers than ranks, odd numbers, and more than one message carries at once.
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000003}}) {
    auto values = addends(count);
    finish(*ranks().start_sum(values, 0));
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(std::bit_cast<std::uint32_t>(values[i]) ==
              std::bit_cast<std::uint32_t>(sum_in_order(i)));
    }
  }
}

TEST_CASE("concurrent sums, in any order of waiting", "[ranks]") {
  auto values = addends(9000);
  std::vector<std::unique_ptr<train::Sum>> sums;
  const std::span all(values);
  for (std::uint32_t i = 0; i < 3; ++i) {
    sums.push_back(ranks().start_sum(all.subspan(std::size_t{3000} * i, 3000), i));
  }
  for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum) finish(**sum);
  for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(values[i] == sum_in_order(i));
}

TEST_CASE("small sums, the largest, broadcasts and texts", "[ranks]") {
  const auto me = ranks().rank(), count = ranks().size();
  double losses[] = {0.5 + me, 1};
  ranks().sum(losses);
  CHECK(losses[0] == 0.5 * count + count * (count - 1) / 2.0);
  CHECK(losses[1] == count);
  CHECK(ranks().largest(me) == count - 1);
  CHECK(ranks().largest(-static_cast<std::int64_t>(me)) == 0);

  std::vector<std::uint32_t> words(1000);
  std::iota(words.begin(), words.end(), me);
  ranks().broadcast(std::as_writable_bytes(std::span(words)));
  CHECK(words.front() == 0);
  CHECK(words.back() == 999);

  const auto texts = ranks().gather(std::string(me + 1, 'x'));
  REQUIRE(texts.size() == count);
  for (std::size_t i = 0; i < count; ++i) CHECK(texts[i].size() == i + 1);
  CHECK(ranks().local_rank() == me);  // the test runs on one machine
  ranks().wait_for_all();
}

}  // namespace
}  // namespace awend::tests
