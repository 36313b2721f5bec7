// Simpler simple recurrent units on the CPU; the formulas are in shaders/op_ssru.comp.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/ssru_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_ssru.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/ssru.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void ssru_sentences(const Ssru& t, std::size_t begin, std::size_t end) {
  const std::size_t n = t.columns;
  for (std::size_t s = begin; s < end; ++s) {
    for_vectors(n, [&](auto d, std::size_t column) HWY_ATTR {
      auto c = t.has_initial == 0 ? hn::Zero(d) : hn::LoadU(d, t.initial + s * n + column);
      for (std::size_t row = t.ranges[2 * s]; row < t.ranges[2 * s + 1]; ++row) {
        const std::size_t at = row * n + column;
        const auto f = sigmoid(d, hn::LoadU(d, t.forget + at));
        const auto share = hn::Sub(hn::Set(d, 1.0F), f);
        c = hn::MulAdd(f, c, hn::Mul(share, hn::LoadU(d, t.candidate + at)));
        if (t.keep != 0) hn::StoreU(c, d, t.states + at);
        hn::StoreU(hn::Max(c, hn::Zero(d)), d, t.y + at);
      }
    });
  }
}

void ssru_backward_sentences(const SsruBackward& t, std::size_t begin, std::size_t end) {
  const std::size_t n = t.columns;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t first = t.ranges[2 * s];
    for_vectors(n, [&](auto d, std::size_t column) HWY_ATTR {
      auto dc = hn::Zero(d);
      for (std::size_t row = t.ranges[2 * s + 1]; row-- > first;) {
        const std::size_t at = row * n + column;
        const auto f = sigmoid(d, hn::LoadU(d, t.forget + at));
        const auto share = hn::Sub(hn::Set(d, 1.0F), f);
        const auto is_positive = hn::Gt(hn::LoadU(d, t.states + at), hn::Zero(d));
        dc = hn::Add(dc, hn::IfThenElseZero(is_positive, hn::LoadU(d, t.dy + at)));
        const auto before = row > first ? hn::LoadU(d, t.states + at - n) : hn::Zero(d);
        const auto change = hn::Sub(before, hn::LoadU(d, t.candidate + at));
        hn::StoreU(hn::Mul(dc, share), d, t.dcandidate + at);
        hn::StoreU(hn::Mul(hn::Mul(dc, change), hn::Mul(f, share)), d, t.dforget + at);
        dc = hn::Mul(dc, f);
      }
    });
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(ssru_sentences);
HWY_EXPORT(ssru_backward_sentences);

namespace {

// A sentence has about 16 rows, whose gate takes about as long as reading this many floats.
constexpr std::size_t kFloatsOfSentence = 16 * 16;

}  // namespace

void ssru(ThreadPool& pool, const Ssru& ssru) {
  for_rows(pool, ssru.sentences_count.rows(), kFloatsOfSentence * ssru.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(ssru_sentences)(ssru, begin, end);
           });
}

void ssru_backward(ThreadPool& pool, const SsruBackward& backward) {
  for_rows(pool, backward.sentences_count.rows(), kFloatsOfSentence * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(ssru_backward_sentences)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
