#include "nn/matmul/matmul.hpp"

#include "nn/matmul/host.hpp"
#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"

namespace awend::nn {

void matmul(Program& program, const Product& product, const Parameters* constant_b) {
  if (host_matmul_fits(program.engine(), product)) {
    host_matmul(program, product, constant_b);
  } else if (matrix_matmul_fits(program.engine(), product)) {
    matrix_matmul(program, product);
  } else {
    portable_matmul(program, product);
  }
}

}  // namespace awend::nn
