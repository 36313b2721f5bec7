// Highway compiles this file once for each instruction set.
#include "host/listed_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/listed_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

// The sums of a tile fit the registers, and are so many that none waits for its last addition.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t kTileRows = 4, kTileSums = 8;
#else
constexpr std::size_t kTileRows = 2, kTileSums = 4;
#endif

/// Rows [row, row + kRows) and ids [id, id + kIds).
template <std::size_t kRows, std::size_t kIds>
HWY_INLINE void multiply_tile(const ListedProduct& p, std::size_t row, std::size_t id) {
  SixteenSums sums[kRows][kIds];
  const float* a[kRows];
  const float* b[kIds];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) a[i] = p.a + (row + i) * p.inner;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kIds; ++j) b[j] = p.table + p.ids[id + j] * p.inner;
  std::size_t at = 0;
  for (; at + SixteenSums::kCount <= p.inner; at += SixteenSums::kCount) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kIds; ++j) sums[i][j].add_products(a[i] + at, b[j] + at);
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kIds; ++j) {
      auto& sum = sums[i][j];
      if (at < p.inner) {
        sum.add_first(p.inner - at, [&](auto d, std::size_t k) HWY_ATTR {
          return hn::Mul(hn::LoadU(d, a[i] + at + k), hn::LoadU(d, b[j] + at + k));
        });
      }
      const float bias = p.bias == nullptr ? 0.0F : p.bias[p.ids[id + j]];
      p.c[(row + i) * p.c_stride + id + j] = sum.total() + bias;
    }
  }
}

template <std::size_t kRows>
HWY_INLINE void multiply_rows(const ListedProduct& p, std::size_t row) {
  constexpr std::size_t kTileIds = kTileSums / kRows;
  std::size_t id = 0;
  for (; id + kTileIds <= p.ids.size(); id += kTileIds) multiply_tile<kRows, kTileIds>(p, row, id);
  for (; id < p.ids.size(); ++id) multiply_tile<kRows, 1>(p, row, id);
}

void multiply_all(const ListedProduct& p) {
  std::size_t row = 0;
  for (; row + kTileRows <= p.rows; row += kTileRows) multiply_rows<kTileRows>(p, row);
  for (; row + 2 <= p.rows; row += 2) multiply_rows<2>(p, row);
  for (; row < p.rows; ++row) multiply_rows<1>(p, row);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(multiply_all);

void multiply_listed(const ListedProduct& product) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(product);
}

}  // namespace awend::host
#endif
