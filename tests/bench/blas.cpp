#include "tests/bench/blas.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "base/error.hpp"
#include "tests/bench/bench.hpp"

#ifdef AWEND_OPENBLAS
#include <cblas.h>
#endif

namespace awend::bench {
namespace {

#ifdef AWEND_OPENBLAS

void multiply(const Shape& shape, const float* a, const float* b, float* c) {
  const auto [form, rows, inner, columns] = shape;
  const auto summed = form == nn::Form::kTN ? rows : inner;
  cblas_sgemm(CblasRowMajor, form == nn::Form::kTN ? CblasTrans : CblasNoTrans,
              form == nn::Form::kNT ? CblasTrans : CblasNoTrans, static_cast<int>(shape.c_rows()),
              static_cast<int>(columns), static_cast<int>(summed), 1, a, static_cast<int>(inner), b,
              static_cast<int>(shape.b_columns()), 0, c, static_cast<int>(columns));
}

/// Measures what comes through `ask` until it is closed.
void serve(int ask, int answer, unsigned threads) {
  openblas_set_num_threads(static_cast<int>(threads));
  Shape shape{};
  while (::read(ask, &shape, sizeof shape) == sizeof shape) {
    const std::vector<float> a(std::size_t{shape.rows} * shape.inner, 0.5f);
    const std::vector<float> b(std::size_t{shape.b_rows()} * shape.b_columns(), 0.5f);
    std::vector<float> c(std::size_t{shape.c_rows()} * shape.columns);
    const auto product = [&] { multiply(shape, a.data(), b.data(), c.data()); };
    product();
    const double seconds = seconds_of_one(product);
    if (::write(answer, &seconds, sizeof seconds) != sizeof seconds) return;
  }
}

#else

void serve(int, int, unsigned) {}

#endif

}  // namespace

std::string blas_name() {
#ifdef AWEND_OPENBLAS
  return openblas_get_config();
#else
  return "";
#endif
}

BlasProcess::BlasProcess(unsigned threads) {
  std::array<int, 2> ask{}, answer{};
  if (::pipe(ask.data()) != 0 || ::pipe(answer.data()) != 0) base::fail("no pipe to OpenBLAS");
  process_ = ::fork();
  if (process_ < 0) base::fail("no process for OpenBLAS");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(ask[1]);
    ::close(answer[0]);
    serve(ask[0], answer[1], threads);
    ::_exit(0);
  }
  ::close(ask[0]);
  ::close(answer[1]);
  ask_ = ask[1];
  answer_ = answer[0];
  ::kill(process_, SIGSTOP);
}

BlasProcess::~BlasProcess() {
  ::close(ask_);
  ::close(answer_);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

double BlasProcess::seconds(const Shape& shape) const {
  ::kill(process_, SIGCONT);
  double seconds = kUnknown;
  const bool answered = ::write(ask_, &shape, sizeof shape) == sizeof shape &&
                        ::read(answer_, &seconds, sizeof seconds) == sizeof seconds;
  ::kill(process_, SIGSTOP);
  if (!answered) base::fail("OpenBLAS' process is gone");
  return seconds;
}

}  // namespace awend::bench
