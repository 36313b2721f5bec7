// Recorded work: replayed as often as wanted, timed, and refused where it breaks a limit.
#include "tests/kernels/bench.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {
namespace {

/// A program that copies `rows` rows of 8 columns.
struct Copying {
  nn::Program program{engine()};
  nn::Count rows = program.count(1000);
  nn::Tensor from = program.input(rows, 8);
  nn::Tensor to = program.output(rows, 8);

  explicit Copying(vulkan::Timing timing) {
    const auto step = program.input(program.fixed(1), 16);
    program.launch({.kernel = "residual",
                    .constants = {8, 0, 0, 0, 0},
                    .operands = {step, from, from, to},
                    .push_constants = nn::bytes_of(nn::ElementwisePush{rows.word, 0, 0, 1.0f}),
                    .x = nn::Axis::rows(rows, ROWS_PER_GROUP)});
    program.compile(timing);
  }
};

}  // namespace

TEST_CASE("one recording serves every number of rows up to its capacity") {
  Copying copying(vulkan::Timing::kOff);
  const auto from = copying.program.host<float>(copying.from);
  const auto to = copying.program.host<float>(copying.to);
  for (const std::uint32_t rows : {1000u, 1u, 0u, 37u}) {
    copying.program.set(copying.rows, rows);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(rows + i);
    copying.program.poison();
    copying.program.replay();
    for (std::size_t i = 0; i < rows * 8; ++i) REQUIRE(to[i] == from[i]);
    // A workgroup takes ROWS_PER_GROUP rows; nothing beyond the count is written.
    if (rows < 1000) REQUIRE(std::isnan(to[rows * 8]));
  }
}

TEST_CASE("timed recordings tell name and time of each dispatch") {
  Copying copying(vulkan::Timing::kOn);
  copying.program.set(copying.rows, 1000);
  copying.program.replay();
  const auto timings = copying.program.recording().timings();
  if (engine().device.limits().timestamp_period_ns == 0) {
    REQUIRE(timings.empty());
    return;
  }
  REQUIRE(timings.size() == 1);
  REQUIRE(timings[0].kernel == "residual");
  REQUIRE(timings[0].nanoseconds > 0);
}

TEST_CASE("the host waits for the parts of a recording one by one") {
  constexpr std::uint64_t kBytes = 4096;
  const vulkan::Arena arena(engine().device, vulkan::MemoryKind::kDownload, 3 * kBytes);
  const auto words = [&](std::uint64_t i) { return arena.range(i * kBytes, kBytes); };
  vulkan::Recording recording(engine().device);
  recording.fill(words(0), 1);
  recording.end_part();
  recording.end_part();  // one of no work
  recording.copy(words(0), words(1));
  REQUIRE(recording.parts() == 3);
  recording.submit(0);
  REQUIRE(recording.wait(0));
  REQUIRE(words(0).view<std::uint32_t>()[1023] == 1);
  REQUIRE_FALSE(recording.wait(2, 0));  // nobody has submitted it
  words(0).view<std::uint32_t>()[0] = 7;
  recording.submit(1);
  recording.submit(2);
  REQUIRE(recording.wait(2));
  REQUIRE(recording.wait(1, 0));
  REQUIRE(words(1).view<std::uint32_t>()[0] == 7);
  recording.replay();
  REQUIRE(words(1).view<std::uint32_t>()[0] == 1);
}

TEST_CASE("a tensor beyond a limit is refused by name, before memory is taken") {
  nn::Program program(engine());
  // Beyond one allocation at any rate, and beyond one binding where that is less.
  const auto limit = engine().device.limits().allocation_bytes;
  const auto rows = program.fixed(static_cast<std::uint32_t>(limit / 4096 + 1));
  const auto big = program.activation(rows, 1024);
  const auto step = program.input(program.fixed(1), 16);
  program.launch({.kernel = "residual",
                  .constants = {1024, 0, 0, 0, 0},
                  .operands = {step, big, big, big},
                  .push_constants = nn::bytes_of(nn::ElementwisePush{rows.word, 0, 0, 1.0f}),
                  .x = nn::Axis::rows(rows, ROWS_PER_GROUP)});
  const auto said = message_of([&] { program.compile(); });
  CAPTURE(said);
  REQUIRE(said.starts_with(
      base::concat("kernel residual: a tensor of ", rows.capacity, " x 1024 needs ")));
  REQUIRE((said.find("on this device") != std::string::npos ||
           said.find("more than this device allocates") != std::string::npos));
  REQUIRE(said.ends_with("; reduce the number of tokens in a batch"));
}

TEST_CASE("more memory than there is is refused with what is wanted, and what there is") {
  const auto heap = engine().device.limits().heap_bytes;
  const auto said = message_of([&] {
    vulkan::Arena(engine().device, vulkan::MemoryKind::kDevice, 2 * heap, nn::kSmallerBeam);
  });
  CAPTURE(said);
  REQUIRE(said.find(base::concat("out of device memory: ", 2 * heap >> 20,
                                 " MiB requested, the largest heap has ", heap >> 20, " MiB")) !=
          std::string::npos);
  REQUIRE(said.ends_with("; reduce the number of tokens in a batch or the beam size"));
}

}  // namespace awend::tests
