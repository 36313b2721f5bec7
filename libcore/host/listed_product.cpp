// Highway compiles this file once for each instruction set.
#include "host/listed_product.hpp"

#include <array>
#include <utility>

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

/// A row of a table of floats.
class FloatRow {
 public:
  FloatRow(const ListedProduct& p, std::size_t row) : values_(p.table + row * p.inner) {}

  /// Makes [at, at + count) available.
  HWY_INLINE void move_to(std::size_t at, std::size_t) { at_ = at; }
  /// Those numbers.
  HWY_INLINE const float* values() const { return values_ + at_; }

 private:
  const float* values_;
  std::size_t at_ = 0;
};

/// A row of a table of integers.
class Int8Row {
 public:
  Int8Row(const ListedProduct& p, std::size_t row)
      : integers_(p.integers->values + row * p.inner), scale_(p.integers->scales[row]) {}

  /// `count` is a multiple of 4, and at most SixteenSums::kCount.
  HWY_INLINE void move_to(std::size_t at, std::size_t count) {
    const hn::CappedTag<float, 4> d;
    const hn::Rebind<std::int8_t, decltype(d)> narrow;
    const hn::Rebind<std::int32_t, decltype(d)> wide;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto integers = hn::PromoteTo(wide, hn::LoadU(narrow, integers_ + at + i));
      hn::Store(hn::Mul(hn::Set(d, scale_), hn::ConvertTo(d, integers)), d, values_ + i);
    }
  }
  HWY_INLINE const float* values() const { return values_; }

 private:
  const std::int8_t* integers_;
  float scale_;
  HWY_ALIGN float values_[SixteenSums::kCount];
};

template <class Row, std::size_t... kIndices>
HWY_INLINE std::array<Row, sizeof...(kIndices)> rows_of(const ListedProduct& p, std::size_t id,
                                                        std::index_sequence<kIndices...>) {
  return {Row(p, p.ids[id + kIndices])...};
}

/// Rows [row, row + kRows) and ids [id, id + kIds).
template <class Row, std::size_t kRows, std::size_t kIds>
HWY_INLINE void multiply_tile(const ListedProduct& p, std::size_t row, std::size_t id) {
  SixteenSums sums[kRows][kIds];
  const float* a[kRows];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kRows; ++i) a[i] = p.a + (row + i) * p.inner;
  auto b = rows_of<Row>(p, id, std::make_index_sequence<kIds>());
  std::size_t at = 0;
  for (; at + SixteenSums::kCount <= p.inner; at += SixteenSums::kCount) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kIds; ++j) b[j].move_to(at, SixteenSums::kCount);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kIds; ++j) sums[i][j].add_products(a[i] + at, b[j].values());
    }
  }
  for (auto& row_of_b : b) row_of_b.move_to(at, p.inner - at);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kIds; ++j) {
      auto& sum = sums[i][j];
      if (at < p.inner) {
        sum.add_first(p.inner - at, [&](auto d, std::size_t k) HWY_ATTR {
          return hn::Mul(hn::LoadU(d, a[i] + at + k), hn::LoadU(d, b[j].values() + k));
        });
      }
      const float bias = p.bias == nullptr ? 0.0F : p.bias[p.ids[id + j]];
      p.c[(row + i) * p.c_stride + id + j] = sum.total() + bias;
    }
  }
}

template <class Row, std::size_t kRows>
HWY_INLINE void multiply_rows(const ListedProduct& p, std::size_t row) {
  constexpr std::size_t kTileIds = kTileSums / kRows;
  std::size_t id = 0;
  for (; id + kTileIds <= p.ids.size(); id += kTileIds)
    multiply_tile<Row, kRows, kTileIds>(p, row, id);
  for (; id < p.ids.size(); ++id) multiply_tile<Row, kRows, 1>(p, row, id);
}

template <class Row>
void multiply_with(const ListedProduct& p) {
  std::size_t row = 0;
  for (; row + kTileRows <= p.rows; row += kTileRows) multiply_rows<Row, kTileRows>(p, row);
  for (; row + 2 <= p.rows; row += 2) multiply_rows<Row, 2>(p, row);
  for (; row < p.rows; ++row) multiply_rows<Row, 1>(p, row);
}

void multiply_all(const ListedProduct& p) {
  p.integers ? multiply_with<Int8Row>(p) : multiply_with<FloatRow>(p);
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
