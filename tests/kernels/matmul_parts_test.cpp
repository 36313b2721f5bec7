// Matrix products of many rows in several launches.
#include "nn/matmul/matmul.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

/// Small integers, so that sums are exact in every order.
void fill(std::span<float> values, std::uint32_t seed) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 31 + seed) % 17) - 8;
}

}  // namespace

TEST_CASE("a product in parts is the whole product", "[matmul][vulkan]") {
  constexpr std::uint32_t kRows = 600, kInner = 16, kColumns = 24;
  nn::Program program(engine());
  const auto rows = program.count(kRows);
  const auto x = program.input(rows, kInner);
  const auto dy = program.input(rows, kColumns);
  const auto w = program.input(program.fixed(kInner), kColumns);
  const auto bias = program.input(program.fixed(1), kColumns);
  struct Pair {
    nn::Tensor whole, parts;
  };
  std::vector<Pair> pairs;
  const auto compare = [&](nn::Product product, const nn::Count& c_rows, std::uint32_t columns) {
    Pair pair{program.output(c_rows, columns), program.output(c_rows, columns)};
    product.c = pair.whole;
    nn::matmul_in_parts(program, product, kRows);
    product.c = pair.parts;
    const std::size_t before = program.launches();
    nn::matmul_in_parts(program, product, 64);
    REQUIRE(program.launches() >= before + 10);
    pairs.push_back(pair);
  };
  compare({.form = nn::Form::kNN, .a = x, .b = w, .c = {}, .bias = bias, .flags = MATMUL_RELU},
          rows, kColumns);
  compare({.form = nn::Form::kNT, .a = dy, .b = w, .c = {}, .bias = std::nullopt}, rows, kInner);
  compare({.form = nn::Form::kTN, .a = x, .b = dy, .c = {}, .bias = std::nullopt},
          program.fixed(kInner), kColumns);
  program.compile();
  for (const std::uint32_t count : {600u, 512u, 257u, 100u}) {
    CAPTURE(count);
    for (const auto& tensor : {x, dy, w, bias}) fill(program.host<float>(tensor), tensor.id);
    program.set(rows, count);
    program.poison();
    program.replay();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      CAPTURE(i);
      const auto whole = program.host<float>(pairs[i].whole);
      const auto parts = program.host<float>(pairs[i].parts);
      const std::size_t defined = i == 2 ? whole.size() : count * pairs[i].whole.columns;
      bool same = true, differs = false;
      for (std::size_t j = 0; j < defined; ++j) {
        same = same && whole[j] == parts[j];
        differs = differs || whole[j] != whole[0];
      }
      REQUIRE(same);
      REQUIRE(differs);
    }
  }
}

}  // namespace awend::tests
