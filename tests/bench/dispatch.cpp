// What a replay and a dispatch cost by themselves, however little they compute.
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "tests/bench/bench.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kDispatches = 1024;
constexpr std::uint32_t kRows = 4;
constexpr std::uint32_t kColumns = 64;

/// `count` launches of a few additions, each of which waits for the one before.
double replay_microseconds(const Bench& bench, std::uint32_t count) {
  Numbers numbers(bench.engine, kRows * kColumns);
  nn::Parameters none;
  nn::Program program(bench.engine);
  nn::Graph graph(program, none, nn::Mode::kInference);
  const nn::Tensor x = numbers.take(program, kRows, kColumns);
  nn::Tensor y = x;
  for (std::uint32_t i = 0; i < count; ++i) y = nn::residual(graph, y, x, 0);
  program.compile();
  program.replay();
  const Measurement measurement[] = {
      [&] { return std::vector{seconds_of_one([&] { program.replay(); })}; }};
  return measure_in_turn(measurement, bench.seconds)[0].median * 1e6;
}

}  // namespace

void dispatch(const Bench& bench) {
  bench.report.section("dispatch", "microseconds of a replay of tiny launches in a row",
                       {{"us", "microseconds", 1}, {"us a launch", "microseconds_a_launch", 2}});
  for (const std::uint32_t count : {1u, kDispatches}) {
    const auto name = base::concat("launches ", count);
    if (!bench.report.wants(name)) continue;
    const double microseconds = replay_microseconds(bench, count);
    bench.report.row(name, {microseconds, microseconds / count});
  }
}

}  // namespace awend::bench
