#include "nn/matmul/matmul.hpp"

#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"

namespace awend::nn {

void matmul(Program& program, const Product& product) {
  if (matrix_matmul_fits(program.engine(), product)) {
    matrix_matmul(program, product);
  } else {
    portable_matmul(program, product);
  }
}

}  // namespace awend::nn
