#include "nn/matmul/matmul.hpp"

#include "base/error.hpp"
#include "nn/matmul/host.hpp"
#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"
#include "nn/parts.hpp"

namespace awend::nn {
namespace {

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
  return part_rows({.rows = product.a.rows.capacity, .flops = flops_of(product)}, pace);
}

void matmul_in_parts(Program& program, const Product& product, std::uint32_t step) {
  in_parts(program, product.a.rows, step, [&](const RowPart& rows) {
    Product part = product;
    part.a = rows.of(product.a);
    // The form TN adds up the products of all rows.
    const bool sums = product.form == Form::kTN;
    (sums ? part.b : part.c) = rows.of(sums ? product.b : product.c);
    if (sums && rows.first > 0) part.flags |= MATMUL_ACCUMULATE;
    const std::size_t before = program.launches();
    launch_product(program, part);
    program.set_flops(before, flops_of(part));
  });
}

void matmul(Program& program, const Product& product,
            const std::optional<ParameterOperand>& constant_b) {
  base::check(!product.bias || (product.flags & MATMUL_ACCUMULATE) == 0,
              "no bias is added to a sum");
  if (program.engine().on_processor()) return host_matmul(program, product, constant_b);
  const auto pace = program.engine().pace();
  matmul_in_parts(program, product, part_rows(product, pace));
}

}  // namespace awend::nn
