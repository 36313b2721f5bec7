#include "base/random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"

namespace awend::base {
namespace {

// The multipliers and key increments of Random123, the reference implementation of the paper.
constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

}  // namespace

std::array<std::uint32_t, 4> philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    counter = {high1 ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               high0 ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

PhiloxKey philox_key(std::uint64_t seed) {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

float normal_float(std::uint32_t first, std::uint32_t second) {
  // Half a unit is added so that the argument of the logarithm is never zero.
  const double radius = std::sqrt(-2.0 * std::log((first + 0.5) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * (second * 0x1p-32);
  return static_cast<float>(radius * std::cos(angle));
}

std::uint32_t dropout_threshold(double probability) {
  check(probability >= 0 && probability < 1, "the dropout probability is in [0, 1)");
  return static_cast<std::uint32_t>(probability * 0x1p32);
}

Random::Random(std::uint64_t seed, std::uint64_t stream)
    : key_(philox_key(seed)),
      counter_{0, 0, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)} {
}

std::uint32_t Random::word() {
  if (used_ == words_.size()) {
    words_ = philox(counter_, key_);
    if (++counter_[0] == 0) ++counter_[1];
    used_ = 0;
  }
  return words_[used_++];
}

std::uint32_t Random::below(std::uint32_t bound) {
  check(bound > 0, "the bound of random numbers is positive");
  // Lemire, "Fast random integer generation in an interval" (2019): the high half of word * bound.
  // The few low halves that would bias the result are rejected.
  std::uint64_t product = std::uint64_t{word()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t unfair = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < unfair) product = std::uint64_t{word()} * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

float Random::normal() {
  const std::uint32_t first = word();
  return normal_float(first, word());
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(std::span(order));
  return order;
}

}  // namespace awend::base
