// Label-smoothed cross entropy and its gradient on the CPU; the formulas are in
// shaders/op_loss.comp and shaders/op_row_sum.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/loss_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <array>
#include <cmath>

#include "host/rows.hpp"
#include "shaders/op_loss.h"
#include "shaders/op_row_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

constexpr float kLowest = -1e30F;
constexpr std::size_t kBlock = SixteenSums::kCount;
using Tag = SixteenSums::Tag;

HWY_INLINE float largest_of(const float* values, std::size_t count) {
  const Tag d;
  const std::size_t n = hn::Lanes(d);
  hn::Vec<Tag> maxima[4];
  for (auto& vector : maxima) vector = hn::Set(d, kLowest);
  std::size_t i = 0;
  for (; i + 4 * n <= count; i += 4 * n) {
    for (std::size_t j = 0; j < 4; ++j)
      maxima[j] = hn::Max(maxima[j], hn::LoadU(d, values + i + j * n));
  }
  const auto all = hn::Max(hn::Max(maxima[0], maxima[1]), hn::Max(maxima[2], maxima[3]));
  float largest = hn::GetLane(hn::MaxOfLanes(d, all));
  for (; i < count; ++i) largest = std::max(largest, values[i]);
  return largest;
}

/// Sums over the vocabulary of x = logit − maximum.
struct Sums {
  SixteenSums exponentials;  // Σ exp(x)
  SixteenSums differences;   // Σ x
};

/// Adds the first `used` numbers of a block of logits.  With a gradient, they become exp(x).
template <bool kGradient, bool kIsWhole>
HWY_INLINE void add_block(Sums& sums, float* logits, std::size_t used, float maximum) {
  hn::Vec<Tag> powers[kBlock / hn::MaxLanes(Tag())];
  sums.differences.add([&](Tag d, std::size_t i) HWY_ATTR {
    auto x = hn::Sub(hn::LoadU(d, logits + i), hn::Set(d, maximum));
    auto power = exponential(d, x);
    if constexpr (!kIsWhole) {
      const auto is_used = hn::FirstN(d, std::min(hn::Lanes(d), used - std::min(used, i)));
      x = hn::IfThenElseZero(is_used, x);
      power = hn::IfThenElseZero(is_used, power);
    }
    if constexpr (kGradient) hn::StoreU(power, d, logits + i);
    powers[i / hn::Lanes(d)] = power;
    return x;
  });
  sums.exponentials.add([&](Tag d, std::size_t i) HWY_ATTR { return powers[i / hn::Lanes(d)]; });
}

template <bool kGradient>
HWY_INLINE Sums sums_of(float* logits, std::size_t count, float maximum) {
  Sums sums;
  std::size_t i = 0;
  for (; i + kBlock <= count; i += kBlock)
    add_block<kGradient, true>(sums, logits + i, kBlock, maximum);
  if (i < count) {
    HWY_ALIGN float rest[kBlock] = {};
    std::copy(logits + i, logits + count, rest);
    add_block<kGradient, false>(sums, rest, count - i, maximum);
    if (kGradient) std::copy_n(rest, count - i, logits + i);
  }
  return sums;
}

template <bool kGradient>
HWY_INLINE void loss_of_row(const Loss& loss, std::size_t row) {
  float* const logits = loss.logits + row * loss.columns;
  const float scale = loss.step->loss_scale;
  const std::size_t count = loss.vocabulary;
  const std::size_t target = loss.targets[row];
  if (target == NO_TOKEN) {
    std::fill_n(loss.losses + 2 * row, 2, 0.0F);
    if (kGradient) std::fill_n(logits, loss.columns, 0.0F);
    return;
  }
  const float vocabulary = static_cast<float>(count);
  const float maximum = largest_of(logits, count);
  const float target_logit = logits[target] - maximum;
  const Sums sums = sums_of<kGradient>(logits, count, maximum);
  const float sum = sums.exponentials.total();
  const float log_sum = std::log(sum);
  const float others = count > 1 ? loss.smoothing / (vocabulary - 1) : 0.0F;
  const float truth = 1.0F - loss.smoothing;
  const float nll = log_sum - target_logit;
  // −Σ q ln p = others · (V ln Σ − Σ x) + (truth − others) · nll, with sums over all tokens.
  const float all = vocabulary * log_sum - sums.differences.total();
  loss.losses[2 * row] = (truth - others) * nll + others * all;
  loss.losses[2 * row + 1] = nll;
  if (!kGradient) return;
  const float inverse = 1.0F / sum;
  const float target_gradient = (logits[target] * inverse - others - (truth - others)) * scale;
  for_vectors(loss.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto gradient =
        hn::MulSub(hn::LoadU(d, logits + i), hn::Set(d, inverse), hn::Set(d, others));
    hn::StoreU(hn::Mul(gradient, hn::Set(d, scale)), d, logits + i);
  });
  std::fill(logits + count, logits + loss.columns, 0.0F);
  logits[target] = target_gradient;
}

void loss_of_rows(const Loss& loss, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    if (loss.gradient == 0) {
      loss_of_row<false>(loss, row);
    } else {
      loss_of_row<true>(loss, row);
    }
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(loss_of_rows);

void loss(ThreadPool& pool, const Loss& loss) {
  for_rows(pool, loss.rows_count.rows(), 4 * loss.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(loss_of_rows)(loss, begin, end);
  });
}

void row_sum(ThreadPool&, const RowSum& sum) {
  // In double precision, and eight sums so that an addition need not wait for the one before it.
  std::array<double, 8> sums{};
  for (std::size_t i = 0; i < 2 * sum.rows_count.rows(); ++i) sums[i % 8] += double{sum.pairs[i]};
  for (std::size_t i = 0; i < 2; ++i)
    sum.totals[i] = static_cast<float>((sums[i] + sums[2 + i]) + (sums[4 + i] + sums[6 + i]));
}

}  // namespace awend::host
#endif
