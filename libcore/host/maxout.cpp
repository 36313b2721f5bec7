// Maxout units on the CPU; the formulas are in shaders/op_maxout.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/maxout_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_maxout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/maxout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void maxout_rows(const Maxout& m, std::size_t begin, std::size_t end) {
  const float* const z = m.z + 2 * begin * m.columns;
  float* const y = m.y + begin * m.columns;
  for_vectors((end - begin) * m.columns, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> first, second;
    hn::LoadInterleaved2(d, z + 2 * i, first, second);
    hn::StoreU(hn::IfThenElse(hn::Gt(second, first), second, first), d, y + i);
  });
}

void maxout_backward_rows(const MaxoutBackward& m, std::size_t begin, std::size_t end) {
  const float* const z = m.z + 2 * begin * m.columns;
  const float* const dy = m.dy + begin * m.columns;
  float* const dz = m.dz + 2 * begin * m.columns;
  for_vectors((end - begin) * m.columns, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> first, second;
    hn::LoadInterleaved2(d, z + 2 * i, first, second);
    const auto is_second = hn::Gt(second, first);
    const auto change = hn::LoadU(d, dy + i);
    auto dfirst = hn::IfThenZeroElse(is_second, change);
    auto dsecond = hn::IfThenElseZero(is_second, change);
    if (m.add != 0) {
      hn::LoadInterleaved2(d, dz + 2 * i, first, second);
      dfirst = hn::Add(first, dfirst);
      dsecond = hn::Add(second, dsecond);
    }
    hn::StoreInterleaved2(dfirst, dsecond, d, dz + 2 * i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(maxout_rows);
HWY_EXPORT(maxout_backward_rows);

void maxout(ThreadPool& pool, const Maxout& maxout) {
  for_rows(pool, maxout.rows_count.rows(), 3 * maxout.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(maxout_rows)(maxout, begin, end);
           });
}

void maxout_backward(ThreadPool& pool, const MaxoutBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), 5 * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(maxout_backward_rows)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
