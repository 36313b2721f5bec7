// Products and other host functions between the kernels of a program, compared with kernels.
#include <algorithm>

#include "nn/matmul/host.hpp"
#include "nn/matmul/matmul.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

/// Chooses where products are computed, and the default again at the end of a test.
class Choice {
 public:
  explicit Choice(nn::Products products, unsigned threads = 2) {
    engine().choose_products(products, threads);
  }
  ~Choice() { engine().choose_products(default_products(), 2); }
  Choice(const Choice&) = delete;
  Choice& operator=(const Choice&) = delete;
};

bool is_on_cpu() {
  return engine().device.limits().on_cpu;
}

struct Case {
  nn::Form form;
  std::uint32_t flags;
  bool has_bias;
  std::uint32_t rows;  ///< In use, of kCapacity.
};
constexpr std::uint32_t kCapacity = 160, kInner = 68, kColumns = 132;

/// The product between two kernels: one copies its left operand, the other its result.
Matrix result_of(const Case& c, nn::Products products) {
  const Choice choice(products);
  Bench bench(nn::Mode::kInference);
  const bool is_tn = c.form == nn::Form::kTN;
  const nn::Count rows = bench.program.count(kCapacity);
  const auto fixed = [&](std::uint32_t value) { return bench.program.fixed(value); };
  const auto a = bench.observe(bench.given(rows, noise(kCapacity, kInner, 1)));
  const auto b = is_tn ? bench.given(rows, noise(kCapacity, kColumns, 2))
                 : c.form == nn::Form::kNN
                     ? bench.given(fixed(kInner), noise(kInner, kColumns, 2))
                     : bench.given(fixed(kColumns), noise(kColumns, kInner, 2));
  const std::size_t c_rows = is_tn ? kInner : kCapacity;
  const auto result =
      bench.observe(bench.given(is_tn ? fixed(kInner) : rows, noise(c_rows, kColumns, 3)));
  nn::Product product{
      .form = c.form, .a = a, .b = b, .c = result, .bias = std::nullopt, .flags = c.flags};
  if (c.has_bias) product.bias = bench.given(fixed(1), noise(1, kColumns, 4));
  nn::matmul(bench.program, product);
  const auto copy = bench.observe(result);
  bench.set_rows(rows, c.rows);
  bench.run();
  return bench.read(copy, is_tn ? kInner : c.rows);
}

std::size_t host_launches(const nn::Program& program) {
  const auto timings = program.timings();
  return static_cast<std::size_t>(std::ranges::count_if(
      timings, [](const auto& timed) { return timed.kernel.ends_with("_host"); }));
}

}  // namespace

TEST_CASE("the host computes what the kernels compute", "[host_matmul]") {
  if (!is_on_cpu()) SKIP("the device is not of type CPU");
  for (const auto form : {nn::Form::kNN, nn::Form::kNT, nn::Form::kTN}) {
    for (const std::uint32_t flags : {0, MATMUL_RELU, MATMUL_ACCUMULATE}) {
      for (const bool has_bias : {false, true}) {
        if (has_bias && (flags & MATMUL_ACCUMULATE) != 0) continue;
        for (const std::uint32_t rows : {1u, 77u, kCapacity}) {
          CAPTURE(static_cast<int>(form), flags, has_bias, rows);
          const Case c{form, flags, has_bias, rows};
          require_close(result_of(c, nn::Products::kHost), result_of(c, nn::Products::kShader));
        }
      }
    }
  }
}

TEST_CASE("launches with a host function are computed where the engine says", "[host_matmul]") {
  if (!is_on_cpu()) SKIP("the device is not of type CPU");
  const auto count = [](nn::Products products, std::uint32_t rows) {
    const Choice choice(products);
    Bench bench(nn::Mode::kInference);
    const auto x = bench.given(bench.program.count(rows), noise(rows, 64, 1));
    const auto w = bench.parameter(64, 64), gain = bench.parameter(1, 64);
    bench.allocate();
    bench.observe(nn::layer_norm(bench.graph, nn::linear(bench.graph, x, w), gain, gain));
    bench.set_rows(x.rows, rows);
    bench.run();
    return host_launches(bench.program);
  };
  // A product, a normalization, and the copy of observe().
  CHECK(count(nn::Products::kHost, 64) == 3);
  CHECK(count(nn::Products::kHost, 1) == 3);
  CHECK(count(nn::Products::kAuto, 64) == 3);
  CHECK(count(nn::Products::kShader, 64) == 0);
}

TEST_CASE("products of quantized weights use integers", "[host_matmul]") {
  if (!is_on_cpu()) SKIP("the device is not of type CPU");
  constexpr std::uint32_t kRows = 30, kInner = 96, kColumns = 72;
  const Choice choice(nn::Products::kHost);
  const auto output = [&](bool is_quantized, std::uint32_t rows) {
    Bench bench(nn::Mode::kInference);
    const auto x = bench.given(bench.program.count(kRows), noise(kRows, kInner, 1));
    const auto w = bench.parameter(kInner, kColumns);
    bench.allocate();
    bench.set(w, noise(kInner, kColumns, 2));
    if (is_quantized) bench.parameters.set_quantized();
    const auto y = bench.observe(nn::linear(bench.graph, x, w));
    bench.set_rows(x.rows, rows);
    bench.run();
    return bench.read(y, rows);
  };
  const Matrix exact = output(false, kRows), quantized = output(true, kRows);
  CHECK(quantized.values != exact.values);
  require_close(quantized, exact, 0.01);
  const auto part = output(true, 7).values;
  CHECK(std::equal(part.begin(), part.end(), quantized.values.begin()));
}

TEST_CASE("a row does not depend on the other rows or on the threads", "[host_matmul]") {
  if (!is_on_cpu()) SKIP("the device is not of type CPU");
  constexpr std::uint32_t kRows = 96, kWidth = 192;
  const Matrix values = noise(kRows, kWidth, 1);
  const auto outputs = [&](std::uint32_t rows, unsigned threads) {
    const Choice choice(nn::Products::kHost, threads);
    Bench bench(nn::Mode::kInference);
    const auto x = bench.given(bench.program.count(kRows), values);
    const auto w = bench.parameter(kWidth, kWidth);
    bench.allocate();
    bench.set(w, noise(kWidth, kWidth, 2));
    const auto y = bench.observe(nn::linear(bench.graph, x, w));
    bench.set_rows(x.rows, rows);
    bench.run();
    return bench.read(y, rows).values;
  };
  const auto all = outputs(kRows, 1);
  for (const std::uint32_t rows : {1u, 13u, 64u, 95u}) {
    for (const unsigned threads : {1u, 2u, 3u}) {
      const auto part = outputs(rows, threads);
      CAPTURE(rows, threads);
      REQUIRE(std::equal(part.begin(), part.end(), all.begin()));
    }
  }
}

TEST_CASE("weights that are written again are used", "[host_matmul]") {
  if (!is_on_cpu()) SKIP("the device is not of type CPU");
  const Choice choice(nn::Products::kHost);
  constexpr std::uint32_t kWidth = 128;
  Bench bench(nn::Mode::kInference);
  const auto x = bench.given(bench.program.count(64), noise(64, kWidth, 1));
  const auto w = bench.parameter(kWidth, kWidth);
  bench.allocate();
  const auto y = bench.observe(nn::linear(bench.graph, x, w));
  bench.set_rows(x.rows, 64);
  bench.set(w, noise(kWidth, kWidth, 2));
  bench.run();
  REQUIRE(host_launches(bench.program) == 2);
  const auto before = bench.read(y, 64).values;
  bench.program.replay();
  CHECK(bench.read(y, 64).values == before);
  Matrix opposite = noise(kWidth, kWidth, 2);
  for (double& value : opposite.values) value = -value;
  bench.set(w, opposite);
  bench.program.replay();
  const auto after = bench.read(y, 64).values;
  for (std::size_t i = 0; i < before.size(); ++i) REQUIRE(after[i] == -before[i]);
}

TEST_CASE("a GPU does not leave products to the host", "[host_matmul]") {
  if (is_on_cpu()) SKIP("the device is of type CPU");
  REQUIRE_THROWS_AS(engine().choose_products(nn::Products::kHost), base::Error);
  engine().choose_products(nn::Products::kAuto);
  CHECK(engine().host_threads == nullptr);
}

}  // namespace awend::tests
