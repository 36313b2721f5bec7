// Rounding to 16 bits on the device, bit-identical to the host.
#include "nn/narrow.hpp"

#include <bit>

#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

/// Numbers of all magnitudes, also subnormal in fp16 and above its maximum, ties, infinities, NaN.
std::vector<float> awkward_numbers(std::size_t count) {
  base::Random random(9);
  std::vector<float> values;
  for (const float special : {0.0f, -0.0f, 65519.0f, 65520.0f, -1e30f, 5.9e-8f, 2.9e-8f, 1e-40f,
                              INFINITY, -INFINITY, NAN, 3.4e38f}) {
    values.push_back(special);
  }
  while (values.size() < count) {
    const auto bits = static_cast<std::uint32_t>(random.below(0x7f800000u));
    // Half of them are halfway between two 16-bit numbers.
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
  // Outputs are fp32, so an output of half as many columns is used as the 16-bit tensor.
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
  const auto output = program.host<std::uint16_t>(words);
  for (std::size_t i = 0; i < std::size_t{rows} * columns; ++i) {
    if (output[i] == nn::narrow(values[i], element)) continue;
    CAPTURE(i, values[i], output[i], nn::narrow(values[i], element));
    FAIL("device and host differ");
  }
}

}  // namespace

TEST_CASE("narrowing on the device equals that on the host", "[vulkan]") {
  for (const auto element : {nn::Element::kBfloat16, nn::Element::kFloat16}) {
    check_narrowing(element, 1, 4);
    check_narrowing(element, 333, 12);
    check_narrowing(element, 70, 520);
  }
}

}  // namespace awend::tests
