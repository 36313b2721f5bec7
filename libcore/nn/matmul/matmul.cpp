#include "nn/matmul/matmul.hpp"

#include <algorithm>

#include "base/numbers.hpp"
#include "nn/matmul/host.hpp"
#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"
#include "vulkan/pace.hpp"

namespace awend::nn {
namespace {

// A multiple of the rows of all tiles, and of the alignment of storage buffers.
constexpr std::uint32_t kRowStep = 256;

void launch_product(Program& program, const Product& product) {
  if (matrix_matmul_fits(program.engine(), product)) {
    matrix_matmul(program, product);
  } else {
    portable_matmul(program, product);
  }
}

}  // namespace

double flops_of(const Product& product) {
  // In the form TN, `a` has the rows of the sum, and its columns are the rows of `c`.
  return 2.0 * product.a.rows.capacity * product.a.columns * product.c.columns;
}

std::uint32_t part_rows(const Product& product, const vulkan::Pace& pace) {
  const std::uint32_t rows = product.a.rows.capacity;
  const double seconds = flops_of(product) / pace.speed.flops_per_second;
  if (!pace.is_bounded() || seconds <= pace.submit_seconds) return rows;
  const auto fitting = static_cast<std::uint32_t>(rows * (pace.submit_seconds / seconds));
  return std::min(rows, std::max(fitting / kRowStep, 1u) * kRowStep);
}

void matmul_in_parts(Program& program, const Product& product, std::uint32_t step) {
  const Count rows = product.a.rows;
  for (std::uint32_t first = 0; first == 0 || first < rows.capacity; first += step) {
    Product part = product;
    if (step < rows.capacity) {
      const Count count = program.part_of(rows, first, step);
      part.a = product.a.from_row(first, count);
      // The form TN adds up the products of all rows.
      const bool sums = product.form == Form::kTN;
      (sums ? part.b : part.c) = (sums ? product.b : product.c).from_row(first, count);
      if (sums && first > 0) part.flags |= MATMUL_ACCUMULATE;
    }
    const std::size_t before = program.launches();
    launch_product(program, part);
    program.set_flops(before, flops_of(part));
  }
}

void matmul(Program& program, const Product& product, const Parameters* constant_b) {
  if (host_matmul_fits(program.engine(), product)) return host_matmul(program, product, constant_b);
  const auto pace = vulkan::pace_of(program.engine().device.info().type);
  matmul_in_parts(program, product, part_rows(product, pace));
}

}  // namespace awend::nn
