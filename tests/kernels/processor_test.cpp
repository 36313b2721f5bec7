// The processor as a device: the same results as kernels, in any batch and with any threads.
#include <algorithm>

#include "base/report.hpp"
#include "host/bfloat16_product.hpp"
#include "nn/engine_start.hpp"
#include "nn/matmul/matmul.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {
namespace {

nn::DeviceChoice processor(unsigned threads = 2) {
  return {.requested = nn::kProcessor, .threads = threads};
}

struct Case {
  nn::Form form;
  std::uint32_t flags;
  bool has_bias;
  std::uint32_t rows;  ///< In use, of kCapacity.
};
constexpr std::uint32_t kCapacity = 160, kInner = 68, kColumns = 132;

/// The product between two other operations: one copies its left operand, the other its result.
Matrix result_of(const Case& c, nn::Engine& on) {
  Bench bench(nn::Mode::kInference, on);
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

}  // namespace

TEST_CASE("the processor computes the products that kernels compute", "[processor][vulkan]") {
  nn::Engine own(processor());
  for (const auto form : {nn::Form::kNN, nn::Form::kNT, nn::Form::kTN}) {
    for (const std::uint32_t flags : {0, MATMUL_RELU, MATMUL_ACCUMULATE}) {
      for (const bool has_bias : {false, true}) {
        if (has_bias && (flags & MATMUL_ACCUMULATE) != 0) continue;
        for (const std::uint32_t rows : {1u, 77u, kCapacity}) {
          CAPTURE(static_cast<int>(form), flags, has_bias, rows);
          const Case c{form, flags, has_bias, rows};
          require_close(result_of(c, own), result_of(c, engine()));
        }
      }
    }
  }
}

TEST_CASE("the processor needs no Vulkan, and has the memory of the machine", "[processor]") {
  nn::Engine own(processor(3));
  CHECK(own.on_processor());
  CHECK(own.name() == "cpu");
  CHECK(own.description().ends_with(", 3 threads: named by 'cpu'"));
  CHECK(own.limits().heap_bytes > 0);
  const auto before = own.allocated_bytes();
  {
    const nn::Memory memory(own, vulkan::MemoryKind::kDevice, 1000);
    CHECK(own.allocated_bytes() == before + 1000);
    const auto words = memory.range(0, 1000).view<std::uint32_t>();
    CHECK(std::ranges::count(words, 0u) == 250);
  }
  CHECK(own.allocated_bytes() == before);
  const auto message = message_of([&] {
    nn::Memory(own, vulkan::MemoryKind::kDevice, 2 * own.limits().heap_bytes, nn::kSmallerBeam);
  });
  CHECK(message.starts_with("out of memory: "));
  CHECK(message.ends_with("; reduce the number of tokens in a batch or the beam size"));
}

TEST_CASE("the processor refuses 16-bit elements that it does not compute in one line",
          "[processor]") {
  nn::Engine own(processor());
  const base::Report report("test", base::Verbosity::kQuiet);
  CHECK_NOTHROW(nn::start(own, nn::Element::kFloat32, report));
  CHECK(message_of([&] { nn::start(own, nn::Element::kFloat16, report); }) ==
        "the device cpu does not compute in fp16; it needs a Vulkan device, such as a GPU or "
        "llvmpipe");
  const auto unit = host::bfloat16_unit();
  CHECK(own.computes(nn::Element::kBfloat16) == (unit != host::Bfloat16Unit::kNone));
  host::use_bfloat16_unit(host::Bfloat16Unit::kNone);
  CHECK(message_of([&] { nn::start(own, nn::Element::kBfloat16, report); }) ==
        "the device cpu does not compute in bf16; it needs a processor with AMX or AVX512_BF16, or "
        "a Vulkan device, such as a GPU or llvmpipe");
  host::use_bfloat16_unit(unit);
}

TEST_CASE("products of constant weights in bf16 are those of weights that change", "[processor]") {
  constexpr std::uint32_t kRows = 30, kInner = 96, kColumns = 72;
  nn::Engine own(processor());
  if (!own.computes(nn::Element::kBfloat16)) SKIP("the processor has no instructions for bf16");
  const auto output = [&](nn::Mode mode, nn::Element precision, std::uint32_t rows) {
    Bench bench(mode, own);
    const auto x = bench.given(bench.program.count(kRows), noise(kRows, kInner, 1));
    const auto w = bench.parameter(kInner, kColumns);
    bench.allocate(precision);
    bench.set(w, noise(kInner, kColumns, 2));
    const auto y = bench.observe(nn::linear(bench.graph, x, w));
    bench.set_rows(x.rows, rows);
    bench.run();
    return bench.read(y, rows);
  };
  const auto bf16 = nn::Element::kBfloat16;
  const Matrix exact = output(nn::Mode::kInference, nn::Element::kFloat32, kRows);
  const Matrix rounded = output(nn::Mode::kInference, bf16, kRows);
  CHECK(rounded.values != exact.values);
  require_close(rounded, exact, 0.02);
  CHECK(output(nn::Mode::kTraining, bf16, kRows).values == rounded.values);
  const auto part = output(nn::Mode::kInference, bf16, 7).values;
  CHECK(std::equal(part.begin(), part.end(), rounded.values.begin()));
}

TEST_CASE("products of quantized weights use integers", "[processor]") {
  constexpr std::uint32_t kRows = 30, kInner = 96, kColumns = 72;
  nn::Engine own(processor());
  const auto output = [&](bool is_quantized, std::uint32_t rows) {
    Bench bench(nn::Mode::kInference, own);
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

TEST_CASE("a row does not depend on the other rows or on the threads", "[processor]") {
  constexpr std::uint32_t kRows = 96, kWidth = 192;
  const Matrix values = noise(kRows, kWidth, 1);
  const auto outputs = [&](std::uint32_t rows, unsigned threads) {
    nn::Engine own(processor(threads));
    Bench bench(nn::Mode::kInference, own);
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

TEST_CASE("weights that are written again are used", "[processor]") {
  constexpr std::uint32_t kWidth = 128;
  nn::Engine own(processor());
  Bench bench(nn::Mode::kInference, own);
  const auto x = bench.given(bench.program.count(64), noise(64, kWidth, 1));
  const auto w = bench.parameter(kWidth, kWidth);
  bench.allocate();
  const auto y = bench.observe(nn::linear(bench.graph, x, w));
  bench.set_rows(x.rows, 64);
  bench.set(w, noise(kWidth, kWidth, 2));
  bench.run();
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

}  // namespace awend::tests
