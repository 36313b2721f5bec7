#include "tests/bench/blas.hpp"

#include <chrono>
#include <thread>

#ifdef AWEND_OPENBLAS
#include <cblas.h>
#endif

namespace awend::bench {

#ifdef AWEND_OPENBLAS

std::string blas_name() {
  return openblas_get_config();
}

void set_blas_threads(unsigned threads) {
  openblas_set_num_threads(static_cast<int>(threads));
}

void blas(const Shape& shape, const float* a, const float* b, float* c) {
  const auto [form, rows, inner, columns] = shape;
  const auto summed = form == nn::Form::kTN ? rows : inner;
  cblas_sgemm(CblasRowMajor, form == nn::Form::kTN ? CblasTrans : CblasNoTrans,
              form == nn::Form::kNT ? CblasTrans : CblasNoTrans, static_cast<int>(shape.c_rows()),
              static_cast<int>(columns), static_cast<int>(summed), 1, a, static_cast<int>(inner), b,
              static_cast<int>(shape.b_columns()), 0, c, static_cast<int>(columns));
}

#else

std::string blas_name() {
  return "";
}

void set_blas_threads(unsigned) {}

void blas(const Shape&, const float*, const float*, float*) {}

#endif

void rest_after_blas() {
  // Its threads spin for 2^26 ticks of the processor's clock, 30 ms or so, by default.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace awend::bench
