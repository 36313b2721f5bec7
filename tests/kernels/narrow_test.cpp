// Narrowing on the device, bit for bit as on the host.
#include <bit>

#include "nn/matmul.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

/// Numbers of every size, subnormal in fp16 and beyond its end among them, ties, infinities, NaN.
std::vector<float> awkward_numbers(std::size_t count) {
  base::Random random(9);
  std::vector<float> values;
  for (const float special : {0.0f, -0.0f, 65519.0f, 65520.0f, -1e30f, 5.9e-8f, 2.9e-8f, 1e-40f,
                              INFINITY, -INFINITY, NAN, 3.4e38f}) {
    values.push_back(special);
  }
  while (values.size() < count) {
    const auto bits = static_cast<std::uint32_t>(random.below(0x7f800000u));
    // Half of them lie midway between two narrow numbers.
    const std::uint32_t mask = random.below(2) == 0 ? 0xffffffffu : 0xfffff000u;
    values.push_back(std::bit_cast<float>((bits & mask) | random.below(2) << 31));
  }
  return values;
}

void check_narrowing(nn::Element element, std::uint32_t rows, std::uint32_t columns) {
  CAPTURE(nn::name_of(element), rows, columns);
  nn::Program program(engine());
  const auto count = program.count(rows + 3);
  const auto x = program.input(count, columns);
  // An output is fp32: the words of the narrow tensor are seen as half as many.
  const auto words = program.output(count, columns / 2);
  auto y = words;
  y.columns = columns;
  y.element = element;
  nn::narrow(program, x, y);
  program.compile();
  program.poison();
  program.set(count, rows);
  const auto values = awkward_numbers(std::size_t{rows} * columns);
  std::copy_n(values.begin(), std::size_t{rows} * columns, program.host<float>(x).begin());
  program.replay();
  const auto seen = program.host<std::uint16_t>(words);
  for (std::size_t i = 0; i < std::size_t{rows} * columns; ++i) {
    if (seen[i] == nn::narrow(values[i], element)) continue;
    CAPTURE(i, values[i], seen[i], nn::narrow(values[i], element));
    FAIL("device and host differ");
  }
}

}  // namespace

TEST_CASE("narrowing on the device is that of the host") {
  for (const auto element : {nn::Element::kBfloat16, nn::Element::kFloat16}) {
    check_narrowing(element, 1, 4);
    check_narrowing(element, 333, 12);
    check_narrowing(element, 70, 520);
  }
}

}  // namespace awend::tests
