// Cross entropy of spans and its gradient on the CPU; the formulas are in
// shaders/op_span_loss.comp.  A sentence has few numbers, so plain code is fast enough, and its
// bytes do not depend on the instruction set.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/span_loss_test.cpp.
#include <algorithm>
#include <cmath>

#include "host/rows.hpp"
#include "shaders/op_span_loss.h"

namespace awend::host {
namespace {

constexpr std::size_t kColumns = 4, kEnds = 2;
// Of a sentence; an exponential takes as long as about ten other operations.
constexpr std::size_t kFloats = 64 * kColumns * 10;

/// The loss of the first or the last row of the span.
float loss_of_end(const SpanLoss& loss, std::size_t sentence, std::size_t end) {
  const std::size_t begin = loss.ranges[2 * sentence], after = loss.ranges[2 * sentence + 1];
  const std::size_t target = loss.targets[2 * sentence + end];
  float* const logits = loss.logits + end;
  float maximum = logits[begin * kColumns];
  for (std::size_t row = begin; row < after; ++row)
    maximum = std::max(maximum, logits[row * kColumns]);
  double sum = 0;
  for (std::size_t row = begin; row < after; ++row)
    sum += std::exp(double{logits[row * kColumns]} - maximum);
  const double nll = std::log(sum) - (double{logits[target * kColumns]} - maximum);
  if (loss.gradient == 0) return static_cast<float>(nll);
  const double scale = loss.step->loss_scale;
  for (std::size_t row = begin; row < after; ++row) {
    float& logit = logits[row * kColumns];
    const double truth = row == target ? 1 : 0;
    logit = static_cast<float>((std::exp(double{logit} - maximum) / sum - truth) * scale);
  }
  return static_cast<float>(nll);
}

void loss_of_sentence(const SpanLoss& loss, std::size_t sentence) {
  float nll = 0;
  for (std::size_t end = 0; end < kEnds; ++end) nll += loss_of_end(loss, sentence, end);
  std::fill_n(loss.losses + 2 * sentence, 2, nll);
  if (loss.gradient == 0) return;
  for (std::size_t row = loss.ranges[2 * sentence]; row < loss.ranges[2 * sentence + 1]; ++row)
    std::fill_n(loss.logits + row * kColumns + kEnds, kColumns - kEnds, 0.0F);
}

}  // namespace

void span_loss(ThreadPool& pool, const SpanLoss& loss) {
  for_rows(pool, loss.sentences_count.rows(), kFloats, [&](std::size_t begin, std::size_t end) {
    for (std::size_t sentence = begin; sentence < end; ++sentence) loss_of_sentence(loss, sentence);
  });
}

}  // namespace awend::host
