// The residual connection with dropout on the CPU; the formulas are in shaders/op_residual.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/rows_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_residual.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/residual.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The elements of the rows [begin, end), and the random words that they use.
struct Part {
  Part(std::size_t columns, std::uint32_t first, std::size_t begin, std::size_t end)
      : at(begin * columns),
        count((end - begin) * columns),
        index(static_cast<std::uint32_t>((first + begin) * columns / 4)) {}

  std::size_t at;
  std::size_t count;
  std::uint32_t index;
};

void residual_rows(const Residual& r, std::size_t begin, std::size_t end) {
  const Part part(r.columns, r.rows_count.first(), begin, end);
  const auto dropout = dropout_of(r);
  const float* const a = r.a + part.at;
  float* const y = r.y + part.at;
  if (r.has_x == 0) {
    for_factors(dropout, part.index, part.count, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
      hn::StoreU(hn::Mul(hn::LoadU(d, a + i), factor), d, y + i);
    });
    return;
  }
  const float* const x = r.x + part.at;
  for_factors(dropout, part.index, part.count, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::LoadU(d, a + i), factor, hn::LoadU(d, x + i)), d, y + i);
  });
}

void residual_backward_rows(const ResidualBackward& r, std::size_t begin, std::size_t end) {
  const Part part(r.columns, r.rows_count.first(), begin, end);
  const auto dropout = dropout_of(r);
  const float* const dy = r.dy + part.at;
  float* const dx = r.has_x == 0 ? nullptr : r.dx + part.at;
  float* const da = r.da + part.at;
  for_factors(dropout, part.index, part.count, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
    const auto gradient = hn::LoadU(d, dy + i);
    if (dx != nullptr) {
      hn::StoreU(r.add_x != 0 ? hn::Add(hn::LoadU(d, dx + i), gradient) : gradient, d, dx + i);
    }
    hn::StoreU(r.add_a != 0 ? hn::MulAdd(gradient, factor, hn::LoadU(d, da + i))
                            : hn::Mul(gradient, factor),
               d, da + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(residual_rows);
HWY_EXPORT(residual_backward_rows);

void residual(ThreadPool& pool, const Residual& residual) {
  for_rows(pool, residual.rows_count.rows(), 2 * residual.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(residual_rows)(residual, begin, end);
           });
}

void residual_backward(ThreadPool& pool, const ResidualBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), 2 * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(residual_backward_rows)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
