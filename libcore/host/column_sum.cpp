// Highway compiles this file once for each instruction set.
#include "host/column_sum.hpp"

#include <algorithm>

#include "host/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/column_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void sum_blocks(const ColumnSum& s, std::size_t begin, std::size_t end) {
  for (std::size_t block = begin; block < end; ++block) {
    const std::size_t first = block * s.block, rows = std::min(s.block, s.rows - first);
    const float* const dy = s.dy + first * s.columns;
    float* const partial = s.partial + block * s.columns;
    for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t row = 0; row < rows; ++row)
        sum = hn::Add(sum, hn::LoadU(d, dy + row * s.columns + i));
      hn::StoreU(sum, d, partial + i);
    });
  }
}

void sum_norm_blocks(const ColumnSumNorm& s, std::size_t begin, std::size_t end) {
  for (std::size_t block = begin; block < end; ++block) {
    const std::size_t first = block * s.block, rows = std::min(s.block, s.rows - first);
    const float* const moments = s.moments + 2 * first;
    float* const partial = s.partial + 2 * block * s.columns;
    for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
      auto sum = hn::Zero(d);
      auto product = hn::Zero(d);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = (first + row) * s.columns + i;
        const auto slope = hn::LoadU(d, s.dy + at);
        const auto difference = hn::Sub(hn::LoadU(d, s.x + at), hn::Set(d, moments[2 * row]));
        const auto normal = hn::Mul(difference, hn::Set(d, moments[2 * row + 1]));
        sum = hn::Add(sum, slope);
        product = hn::MulAdd(slope, normal, product);
      }
      hn::StoreU(sum, d, partial + i);
      hn::StoreU(product, d, partial + s.columns + i);
    });
  }
}

void add_blocks(const ColumnSumFinal& s) {
  for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (std::size_t block = 0; block < s.blocks; ++block)
      sum = hn::Add(sum, hn::LoadU(d, s.partial + block * s.stride + i));
    hn::StoreU(hn::Add(hn::LoadU(d, s.gradient + i), sum), d, s.gradient + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(sum_blocks);
HWY_EXPORT(sum_norm_blocks);
HWY_EXPORT(add_blocks);

void column_sum(ThreadPool& pool, const ColumnSum& sum) {
  const std::size_t blocks = (sum.rows + sum.block - 1) / sum.block;
  for_rows(pool, blocks, sum.block * sum.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(sum_blocks)(sum, begin, end);
  });
}

void column_sum(ThreadPool& pool, const ColumnSumNorm& sum) {
  const std::size_t blocks = (sum.rows + sum.block - 1) / sum.block;
  for_rows(pool, blocks, 2 * sum.block * sum.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(sum_norm_blocks)(sum, begin, end);
  });
}

void column_sum(const ColumnSumFinal& sum) {
  HWY_DYNAMIC_DISPATCH(add_blocks)(sum);
}

}  // namespace awend::host
#endif
