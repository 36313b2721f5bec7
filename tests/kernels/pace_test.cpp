// Recordings divided into submissions of bounded duration: the same results, and as many
// submissions as their estimates or measurements require.
#include <numeric>

#include "nn/gpu.hpp"
#include "tests/kernels/bench.hpp"
#include "vulkan/recording.hpp"

namespace awend::tests {
namespace {

/// Copies one vector after the other, each dispatch after a barrier.
class Chain {
 public:
  static constexpr std::uint32_t kLength = 10;

  explicit Chain(const vulkan::Pace& pace)
      : memory_(engine().gpu().device, vulkan::MemoryKind::kUpload, (kLength + 2) * kBytes),
        recording_(engine().gpu().device, vulkan::Timing::kOff, pace) {
    const auto& kernel =
        engine().gpu().kernels.get("residual", std::vector<std::uint32_t>{8, 0, 0, 0, 0});
    memory_.range(0, kBytes).view<std::uint32_t>()[0] = kRows;
    for (std::uint32_t i = 1; i <= kLength; ++i) {
      const vulkan::Range bindings[] = {at(0), at(0), at(i), at(i), at(i + 1)};
      const std::uint32_t push[] = {0, 0, 0, std::bit_cast<std::uint32_t>(1.0f)};
      recording_.dispatch({.kernel = kernel,
                           .bindings = bindings,
                           .push_constants = std::as_bytes(std::span(push)),
                           .workgroups = {kRows, 1, 1},
                           .indirect = std::nullopt,
                           .flops = 1e9});
      recording_.barrier();
    }
  }

  vulkan::Recording& recording() { return recording_; }
  /// Replays, and returns the number of submissions.
  std::uint64_t replay(float first) {
    for (float& value : at(1).view<float>()) value = first++;
    const std::uint64_t before = recording_.submissions();
    recording_.replay();
    return recording_.submissions() - before;
  }
  std::vector<float> result() const {
    const auto values = at(kLength + 1).view<float>();
    return {values.begin(), values.end()};
  }

 private:
  static constexpr std::uint32_t kRows = 8;
  static constexpr std::uint64_t kBytes = kRows * 8 * sizeof(float);

  vulkan::Range at(std::uint32_t i) const { return memory_.range(i * kBytes, kBytes); }

  vulkan::Arena memory_;
  vulkan::Recording recording_;
};

/// A device on which each dispatch of a chain takes 1000 s, so that any machine is faster.
vulkan::Pace pace(double submit_seconds) {
  return {.submit_seconds = submit_seconds,
          .speed = {.flops_per_second = 1e6, .bytes_per_second = 1e12}};
}

std::vector<float> counting(float first) {
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("the first replay is submitted as estimated, later ones as measured", "[pace][vulkan]") {
  for (const auto& [seconds, submissions] :
       {std::pair(500.0, 10u), {1500.0, 10u}, {2500.0, 5u}, {5500.0, 3u}, {1e9, 1u}}) {
    CAPTURE(seconds);
    Chain chain(pace(seconds));
    REQUIRE(chain.replay(3) == submissions);
    REQUIRE(chain.result() == counting(3));
    // All measurements are shorter, so that the estimates fall by half each time.
    std::uint64_t last = submissions;
    for (int i = 0; i < 16; ++i) {
      const auto expected = chain.recording().expected_seconds();
      const auto policy = vulkan::group_ends(expected, seconds).size();
      const auto made = chain.replay(static_cast<float>(i));
      REQUIRE(made == policy);
      REQUIRE(made <= last);
      REQUIRE(chain.result() == counting(static_cast<float>(i)));
      last = made;
    }
    REQUIRE(last == 1);
  }
}

TEST_CASE("a part of the work is expected to take a part of the time", "[pace][vulkan]") {
  Chain chain(pace(2500));
  chain.recording().set_shares(std::vector<double>(Chain::kLength, 0.25));
  REQUIRE(chain.replay(1) == 2);  // groups of 9 slices
  REQUIRE(chain.result() == counting(1));
}

TEST_CASE("independent dispatches share a slice up to the duration of a submission",
          "[pace][vulkan]") {
  const vulkan::Arena memory(engine().gpu().device, vulkan::MemoryKind::kUpload, 2048);
  vulkan::Recording recording(engine().gpu().device, vulkan::Timing::kOff, pace(2500));
  const auto& kernel =
      engine().gpu().kernels.get("residual", std::vector<std::uint32_t>{8, 0, 0, 0, 0});
  const std::uint32_t push[] = {0, 0, 0, std::bit_cast<std::uint32_t>(1.0f)};
  memory.range(0, 256).view<std::uint32_t>()[0] = 8;
  for (float& value : memory.range(256, 256).view<float>()) value = 5;
  for (std::uint64_t i = 2; i < 7; ++i) {
    const vulkan::Range from = memory.range(256, 256);
    const vulkan::Range bindings[] = {memory.range(0, 256), memory.range(0, 256), from, from,
                                      memory.range(256 * i, 256)};
    recording.dispatch({.kernel = kernel,
                        .bindings = bindings,
                        .push_constants = std::as_bytes(std::span(push)),
                        .workgroups = {8, 1, 1},
                        .indirect = std::nullopt,
                        .flops = 1e9});
  }
  recording.replay();
  REQUIRE(recording.expected_seconds().size() == 3);  // of 2, 2 and 1 dispatches
  REQUIRE(recording.submissions() == 3);
  for (const float value : memory.range(512, 5 * 256).view<float>()) REQUIRE(value == 5);
}

TEST_CASE("copies and fills share a slice up to the duration of a submission", "[pace][vulkan]") {
  const vulkan::Arena memory(engine().gpu().device, vulkan::MemoryKind::kUpload, 2048);
  const vulkan::Pace slow{.submit_seconds = 600,
                          .speed = {.flops_per_second = 1, .bytes_per_second = 1}};
  vulkan::Recording recording(engine().gpu().device, vulkan::Timing::kOff, slow);
  for (const std::uint64_t to : {0, 256, 512}) recording.fill(memory.range(to, 256), 7);
  recording.barrier();
  recording.copy(memory.range(0, 256), memory.range(1024, 256));
  const std::vector<double> seconds{512, 256, 512};
  REQUIRE(recording.expected_seconds() == seconds);
  recording.set_shares({});
  REQUIRE(recording.expected_seconds() == seconds);
  recording.replay();
  REQUIRE(recording.submissions() == 3);
  for (const auto word : memory.range(1024, 256).view<std::uint32_t>()) REQUIRE(word == 7);
}

TEST_CASE("without a bound there is one submission", "[pace][vulkan]") {
  Chain chain(vulkan::Pace{});
  REQUIRE_FALSE(chain.recording().is_paced());
  REQUIRE(chain.replay(5) == 1);
  REQUIRE(chain.result() == counting(5));
}

TEST_CASE("a part of a count follows the count", "[pace][vulkan]") {
  nn::Program program(engine());
  const auto rows = program.count(600);
  const auto step = program.input(program.fixed(1), 16);
  const auto from = program.input(rows, 8);
  const auto to = program.output(rows, 8);
  for (std::uint32_t first = 0; first < 600; first += 256) {
    const auto part = program.part_of(rows, first, 256);
    REQUIRE(part.capacity == std::min(256u, 600 - first));
    program.launch(copy_of(step, from.from_row(first, part), to.from_row(first, part)));
  }
  program.compile();
  for (float& value : program.host<float>(from)) value = 1;
  for (const std::uint32_t count : {600u, 512u, 300u, 256u, 12u, 0u}) {
    program.set(rows, count);
    program.poison();
    program.replay();
    const auto values = program.host<float>(to);
    const auto copied = std::ranges::count(values, 1.0f);
    CAPTURE(count);
    // A workgroup copies ROWS_PER_GROUP rows.
    REQUIRE(copied >= 8 * count);
    REQUIRE(copied < 8 * (count + 4));
  }
}

}  // namespace awend::tests
