// Rounding of fp32 numbers as 8-bit products round their operands, on the CPU; the formulas are in
// shaders/op_fake_quantize.comp.  Test: tests/unit/host/rows_test.cpp, fake_quantize_test.cpp,
// tests/kernels/fake_quantize_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <vector>

#include "host/rows.hpp"
#include "shaders/op_fake_quantize.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/fake_quantize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/magnitude-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The nearest integers in [-127, 127].
template <class D>
HWY_INLINE hn::Vec<D> limited(D d, hn::Vec<D> x) {
  return hn::Max(hn::Min(hn::Round(x), hn::Set(d, 127.0F)), hn::Set(d, -127.0F));
}

void fake_quantize_part(const FakeQuantize& t, std::size_t begin, std::size_t end) {
  const float step = 1 / t.scale;
  const std::size_t first = begin * t.columns;
  for_vectors((end - begin) * t.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto integers = limited(d, hn::Mul(hn::LoadU(d, t.x + first + i), hn::Set(d, t.scale)));
    hn::StoreU(hn::Mul(integers, hn::Set(d, step)), d, t.y + first + i);
  });
}

void fake_quantize_some_rows(const FakeQuantizeRows& t, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    const float* const x = t.x + row * t.columns;
    float* const y = t.y + row * t.columns;
    const float largest = largest_magnitude(x, t.columns);
    const float step = largest > 0 ? largest / 127.0F : 1;
    for_vectors(t.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto integers = limited(d, hn::Div(hn::LoadU(d, x + i), hn::Set(d, step)));
      hn::StoreU(hn::Mul(integers, hn::Set(d, step)), d, y + i);
    });
  }
}

/// Columns [begin, end), multiples of 4.
void fake_quantize_some_columns(const FakeQuantizeColumns& t, std::size_t begin, std::size_t end) {
  const std::size_t rows = t.rows_count.rows(), count = end - begin;
  std::vector<float> factors(count, 0), steps(count);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const x = t.x + row * t.columns + begin;
    for_vectors(count, [&](auto d, std::size_t i) HWY_ATTR {
      const auto largest = hn::Max(hn::LoadU(d, factors.data() + i), hn::Abs(hn::LoadU(d, x + i)));
      hn::StoreU(largest, d, factors.data() + i);
    });
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float largest = factors[i];
    factors[i] = largest > 0 ? 127.0F / largest : 0;
    steps[i] = largest / 127.0F;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const x = t.x + row * t.columns + begin;
    float* const y = t.y + row * t.columns + begin;
    for_vectors(count, [&](auto d, std::size_t i) HWY_ATTR {
      const auto factor = hn::LoadU(d, factors.data() + i);
      const auto integers = limited(d, hn::Mul(hn::LoadU(d, x + i), factor));
      hn::StoreU(hn::Mul(integers, hn::LoadU(d, steps.data() + i)), d, y + i);
    });
  }
}

void magnitudes_of_rows(const RowMagnitudes& t, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row)
    t.y[row] = largest_magnitude(t.x + row * t.columns, t.columns);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(fake_quantize_part);
HWY_EXPORT(fake_quantize_some_rows);
HWY_EXPORT(fake_quantize_some_columns);
HWY_EXPORT(magnitudes_of_rows);

void fake_quantize(ThreadPool& pool, const FakeQuantize& t) {
  for_rows(pool, t.rows_count.rows(), t.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(fake_quantize_part)(t, begin, end);
  });
}

void fake_quantize_rows(ThreadPool& pool, const FakeQuantizeRows& t) {
  for_rows(pool, t.rows_count.rows(), 2 * t.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(fake_quantize_some_rows)(t, begin, end);
  });
}

void fake_quantize_columns(ThreadPool& pool, const FakeQuantizeColumns& t) {
  constexpr std::size_t kColumns = 16;  // of a cache line, which threads do not share
  const std::size_t groups = (t.columns + kColumns - 1) / kColumns;
  for_rows(pool, groups, 2 * kColumns * t.rows_count.rows(),
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(fake_quantize_some_columns)
             (t, begin * kColumns, std::min(end * kColumns, std::size_t{t.columns}));
           });
}

void row_magnitudes(ThreadPool& pool, const RowMagnitudes& t) {
  for_rows(pool, t.rows_count.rows(), t.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(magnitudes_of_rows)(t, begin, end);
  });
}

}  // namespace awend::host
#endif
