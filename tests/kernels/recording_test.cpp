// Recorded work: replayed several times, timed, and refused if it exceeds a limit.
#include "vulkan/recording.hpp"

#include "nn/gpu.hpp"
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
    program.launch(copy_of(step, from, to));
    program.compile(timing);
  }
};

}  // namespace

TEST_CASE("one recording works for every number of rows up to its capacity") {
  Copying copying(vulkan::Timing::kOff);
  const auto from = copying.program.host<float>(copying.from);
  const auto to = copying.program.host<float>(copying.to);
  for (const std::uint32_t rows : {1000u, 1u, 0u, 37u}) {
    copying.program.set(copying.rows, rows);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(rows + i);
    copying.program.poison();
    copying.program.replay();
    for (std::size_t i = 0; i < rows * 8; ++i) REQUIRE(to[i] == from[i]);
    // A workgroup processes ROWS_PER_GROUP rows; rows after the count are not written.
    if (rows < 1000) REQUIRE(std::isnan(to[rows * 8]));
  }
}

TEST_CASE("timed recordings report name and duration of each dispatch", "[vulkan]") {
  Copying copying(vulkan::Timing::kOn);
  copying.program.set(copying.rows, 1000);
  copying.program.replay();
  const auto timings = copying.program.timings();
  if (engine().limits().timestamp_period_ns == 0) {
    REQUIRE(timings.empty());
    return;
  }
  REQUIRE(timings.size() == 1);
  REQUIRE(timings[0].kernel == "residual");
  REQUIRE(timings[0].nanoseconds > 0);
}

TEST_CASE("the host waits for single parts of a recording", "[vulkan]") {
  constexpr std::uint64_t kBytes = 4096;
  const vulkan::Arena arena(engine().gpu().device, vulkan::MemoryKind::kDownload, 3 * kBytes);
  const auto words = [&](std::uint64_t i) { return arena.range(i * kBytes, kBytes); };
  vulkan::Recording recording(engine().gpu().device);
  recording.fill(words(0), 1);
  recording.end_part();
  recording.end_part();  // an empty part
  recording.copy(words(0), words(1));
  REQUIRE(recording.parts() == 3);
  recording.submit(0);
  REQUIRE(recording.wait(0));
  REQUIRE(words(0).view<std::uint32_t>()[1023] == 1);
  REQUIRE_FALSE(recording.wait(2, 0));  // not submitted yet
  words(0).view<std::uint32_t>()[0] = 7;
  recording.submit(1);
  recording.submit(2);
  REQUIRE(recording.wait(2));
  REQUIRE(recording.wait(1, 0));
  REQUIRE(words(1).view<std::uint32_t>()[0] == 7);
  recording.replay();
  REQUIRE(words(1).view<std::uint32_t>()[0] == 1);
}

TEST_CASE("a recording that is destroyed while it runs is finished first", "[vulkan]") {
  constexpr std::uint64_t kBytes = 4 << 20;
  const vulkan::Arena arena(engine().gpu().device, vulkan::MemoryKind::kDownload, kBytes);
  const auto all = arena.range(0, kBytes);
  all.view<std::uint32_t>().back() = 0;
  {
    vulkan::Recording recording(engine().gpu().device);
    for (std::uint32_t i = 1; i <= 50; ++i) {
      recording.fill(all, i);
      recording.barrier();
    }
    recording.submit(0);
  }
  REQUIRE(all.view<std::uint32_t>().back() == 50);
}

TEST_CASE(
    "a tensor that exceeds a limit is refused with kernel and operand, before memory is "
    "allocated",
    "[vulkan]") {
  nn::Program program(engine());
  // Exceeds one allocation, and one binding if that limit is smaller, but not the number of work
  // groups, which grows with the rows.
  const auto limit = engine().limits().allocation_bytes;
  const auto rows = program.fixed(static_cast<std::uint32_t>(limit / 16384 + 1));
  const auto big = program.activation(rows, 4096);
  const auto step = program.input(program.fixed(1), 16);
  program.launch(copy_of(step, big, big));
  const auto message = message_of([&] { program.compile(); });
  CAPTURE(message);
  REQUIRE(message.starts_with(
      base::concat("kernel residual, operand x: a tensor of ", rows.capacity, " x 4096 needs ")));
  REQUIRE((message.find("on this device") != std::string::npos ||
           message.find("more than this device allocates") != std::string::npos));
  REQUIRE(message.ends_with("; reduce the number of tokens in a batch"));
}

TEST_CASE("a request for too much memory is refused with its size and that of the memory",
          "[vulkan]") {
  const auto heap = engine().limits().heap_bytes;
  const auto message = message_of([&] {
    vulkan::Arena(engine().gpu().device, vulkan::MemoryKind::kDevice, 2 * heap, nn::kSmallerBeam);
  });
  CAPTURE(message);
  REQUIRE(message.find(base::concat(
              "out of device memory: ", base::divide_up(2 * heap, std::uint64_t{1} << 20),
              " MiB requested, the largest heap has ", heap >> 20, " MiB")) != std::string::npos);
  REQUIRE(message.ends_with("; reduce the number of tokens in a batch or the beam size"));
}

}  // namespace awend::tests
