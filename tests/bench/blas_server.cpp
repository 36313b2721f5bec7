// awend-bench-blas: OpenBLAS for awend-bench, in a program of its own (see BlasProcess).
//
// Shapes come through stdin, as they lie in memory; for each the seconds of one product go to
// stdout.  First of all goes the name of the library, as a line.
#include <cblas.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/bench/blas.hpp"

namespace {

using awend::bench::Shape;
using awend::nn::Form;

void multiply(const Shape& shape, const float* a, const float* b, float* c) {
  const auto [form, rows, inner, columns] = shape;
  const auto summed = form == Form::kTN ? rows : inner;
  cblas_sgemm(CblasRowMajor, form == Form::kTN ? CblasTrans : CblasNoTrans,
              form == Form::kNT ? CblasTrans : CblasNoTrans, static_cast<int>(shape.c_rows()),
              static_cast<int>(columns), static_cast<int>(summed), 1, a, static_cast<int>(inner), b,
              static_cast<int>(shape.b_columns()), 0, c, static_cast<int>(columns));
}

/// Over five milliseconds, as the device's samples; the first call is left out.
template <class Work>
double seconds_of_one(const Work& work) {
  work();
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  int calls = 0;
  while (seconds < 5e-3) {
    work();
    ++calls;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return seconds / calls;
}

}  // namespace

int main(int, char** argv) {
  openblas_set_num_threads(std::atoi(argv[1]));
  const std::string name = std::string(openblas_get_config()) + "\n";
  if (::write(STDOUT_FILENO, name.data(), name.size()) < 0) return 1;
  Shape shape{};
  while (::read(STDIN_FILENO, &shape, sizeof shape) == sizeof shape) {
    const std::vector<float> a(std::size_t{shape.rows} * shape.inner, 0.5f);
    const std::vector<float> b(std::size_t{shape.b_rows()} * shape.b_columns(), 0.5f);
    std::vector<float> c(std::size_t{shape.c_rows()} * shape.columns);
    const double seconds = seconds_of_one([&] { multiply(shape, a.data(), b.data(), c.data()); });
    if (::write(STDOUT_FILENO, &seconds, sizeof seconds) != sizeof seconds) return 1;
  }
  return 0;
}
