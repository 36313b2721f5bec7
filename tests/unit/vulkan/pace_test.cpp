// The division of work into submissions, as functions.
#include "vulkan/pace.hpp"

#include "tests/catch.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint64_t kHeap = std::uint64_t{16} << 30;
using Ends = std::vector<std::size_t>;

TEST_CASE("slices are submitted together up to a duration", "[pace]") {
  CHECK(group_ends({}, 1) == Ends{});
  CHECK(group_ends(std::vector{0.25, 0.25, 0.5, 0.5, 0.25}, 1) == Ends{3, 5});
  CHECK(group_ends(std::vector{0.5, 0.75, 0.75}, 1) == Ends{1, 2, 3});
  // A slice that takes longer is alone.
  CHECK(group_ends(std::vector{3.0, 0.5, 0.5, 3.0, 0.0}, 1) == Ends{1, 3, 4, 5});
  CHECK(group_ends(std::vector{3.0, 2.0, 1.0}, pace_of(DeviceType::kCpu, kHeap).submit_seconds) ==
        Ends{3});
}

TEST_CASE("work is as long as the slower of its operations and its bytes", "[pace]") {
  constexpr Speed kSpeed{.flops_per_second = 100, .bytes_per_second = 10};
  CHECK(seconds_of({.flops = 200, .bytes = 10}, kSpeed) == 2);
  CHECK(seconds_of({.flops = 200, .bytes = 30}, kSpeed) == 3);
}

TEST_CASE("no submission takes 0.1 s on a device of 0.3 TFLOP/s", "[pace]") {
  const Pace pace = pace_of(DeviceType::kIntegratedGpu, kHeap);
  REQUIRE(pace.is_bounded());
  // Products of 4 GFLOP, which the device computes with half of its peak.
  const std::vector<double> expected(100, seconds_of({.flops = 4e9, .bytes = 1e7}, pace.speed));
  std::size_t begin = 0;
  for (const std::size_t end : group_ends(expected, pace.submit_seconds)) {
    CHECK(static_cast<double>(end - begin) * 4e9 / 1.5e11 < 0.1);
    begin = end;
  }
  CHECK(begin == 100);
  CHECK_FALSE(pace_of(DeviceType::kCpu, kHeap).is_bounded());
}

TEST_CASE("a discrete GPU is assumed to be fast if it has much memory", "[pace]") {
  constexpr auto kDiscrete = DeviceType::kDiscreteGpu;
  const Speed small = assumed_speed(kDiscrete, std::uint64_t{4} << 30);
  CHECK(small.flops_per_second ==
        assumed_speed(DeviceType::kIntegratedGpu, kHeap).flops_per_second);
  CHECK(assumed_speed(kDiscrete, kHeap).flops_per_second > 10 * small.flops_per_second);
}

TEST_CASE("estimates follow measurements: slower at once, faster in steps", "[pace]") {
  CHECK(next_correction(1, 4) == 4);
  CHECK(next_correction(1, 0.75) == 0.75);
  CHECK(next_correction(1, 0.01) == 0.5);
  double correction = 1;
  for (int replay = 0; replay < 10; ++replay) correction = next_correction(correction, 0.002);
  CHECK(correction == 0.002);
}

}  // namespace
}  // namespace awend::vulkan
