// Attention of packed sentences of one length, forward and backward, compared with the device's own
// matrix products.
//
// A pair of a query and a key costs 4 d floating-point operations forward (q k, p v) and 10 d
// backward (q k again, dy v, and the gradients of q, k and v).  The two kernels of the backward
// pass compute q k and dy v each for itself: by themselves they are credited with the 6 d and 8 d
// that they do, together with the 10 d that are needed.
#include "nn/matmul/matmul.hpp"
#include "tests/bench/stage.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kRows = 2048;
constexpr std::uint32_t kHeadSize = 64;

struct Case {
  std::uint32_t length;
  std::uint32_t heads;

  std::uint32_t width() const { return heads * kHeadSize; }
  /// 10⁹ operations, for `each` of a pair of rows and a column of a head.
  double giga(double each) const { return each * kRows * length * width() / 1e9; }
};

std::string name_of(const Case& it) {
  return base::concat(it.heads, " heads, length ", it.length);
}

/// Every row sees all rows of its sentence.
std::vector<std::uint32_t> sentence_ranges(std::uint32_t length) {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const std::uint32_t begin = row / length * length;
    ranges.insert(ranges.end(), {begin, begin + length});
  }
  return ranges;
}

void build(Stage& stage, const Case& it) {
  const auto ranges = stage.given(2, sentence_ranges(it.length));
  const auto q = stage.noise(kRows, it.width());
  const auto k = stage.noise(kRows, it.width());
  const auto v = stage.noise(kRows, it.width());
  stage.differentiate(
      nn::attention(stage.graph, {q, k, v}, {ranges, ranges},
                    {.heads = it.heads, .d_k = kHeadSize, .d_v = kHeadSize, .dropout = 0}));
  stage.compile();
  stage.program.replay();
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Seconds of the forward pass, of the backward kernels for queries and for keys, and of the whole
/// backward pass.
std::vector<double> sample(Stage& stage) {
  stage.program.replay();
  const auto seconds = [&](const auto& counts) { return kernel_seconds(stage.program, counts); };
  return {seconds([](std::string_view kernel) { return !holds(kernel, "backward"); }),
          seconds([](std::string_view kernel) { return holds(kernel, "backward_query"); }),
          seconds([](std::string_view kernel) { return holds(kernel, "backward_key"); }),
          seconds([](std::string_view kernel) { return holds(kernel, "backward"); })};
}

/// Sets up one case and fills its row.
void measure(const Bench& bench, const Case& it) {
  Numbers numbers(bench.engine, std::uint64_t{5} * kRows * it.width());
  Stage stage(bench.engine, numbers);
  build(stage, it);
  const Repeated product(bench.engine, [&](nn::Program& program) {
    numbers.rewind();
    const auto x = numbers.take(program, kRows, it.width());
    const auto w = numbers.take(program, it.width(), it.width());
    const auto y = program.activation(x.rows, it.width());
    nn::matmul(program, {.form = nn::Form::kNN, .a = x, .b = w, .c = y, .bias = std::nullopt});
  });
  const Measurement measurements[] = {[&] { return sample(stage); },
                                      [&] { return std::vector{product.seconds()}; }};
  const auto seconds = measure_in_turn(measurements, bench.seconds);
  const double forward = it.giga(4) / seconds[0].median;
  const double backward = it.giga(10) / seconds[3].median;
  const double matmul = 2e-9 * kRows * it.width() * it.width() / seconds[4].median;
  bench.report.row(name_of(it),
                   {forward, it.giga(6) / seconds[1].median, it.giga(8) / seconds[2].median,
                    backward, matmul, forward / matmul, backward / matmul});
}

}  // namespace

void attention(const Bench& bench) {
  bench.report.section("attention",
                       "GFLOP/s over 2048 rows; the ratios are to an NN product of this device, "
                       "2048 x d_model -> d_model",
                       {{"forward", "forward_gflops", 2},
                        {"query", "query_gflops", 2},
                        {"key", "key_gflops", 2},
                        {"backward", "backward_gflops", 2},
                        {"matmul", "matmul_gflops", 1},
                        {"fwd ratio", "forward_ratio", 2},
                        {"bwd ratio", "backward_ratio", 2}});
  for (const std::uint32_t heads : {4u, 8u}) {
    for (const std::uint32_t length : {16u, 32u, 64u, 128u, 256u, 1024u}) {
      const Case it{length, heads};
      if (bench.report.wants(name_of(it))) measure(bench, it);
    }
  }
}

}  // namespace awend::bench
