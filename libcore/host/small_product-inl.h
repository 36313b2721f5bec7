// Products of matrices that fit the nearest caches, for attention; included once for each
// instruction set, after Highway's headers.
//
// As in host/product.hpp, each element is one chain of fused multiply-adds in ascending order of
// the inner index, so that it depends neither on the other rows nor on the instruction set.
#if defined(AWEND_HOST_SMALL_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_SMALL_PRODUCT_INL
#undef AWEND_HOST_SMALL_PRODUCT_INL
#else
#define AWEND_HOST_SMALL_PRODUCT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "host/attention_groups.hpp"
#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

// A tile of kTileRows by two vectors stays in registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr std::size_t kTileRows = 8;  // 32 registers
#else
inline constexpr std::size_t kTileRows = 6;  // 16 registers
#endif
static_assert(kTileRows <= kMaxTileRows);

/// The rows of the next tile of `rows` rows: kTileRows, or a power of two.
HWY_INLINE std::size_t rows_of_tile(std::size_t rows) {
  if (rows >= kTileRows) return kTileRows;
  return rows >= 4 ? 4 : rows >= 2 ? 2 : 1;
}

/// c = a b, row-major.
struct SmallProduct {
  const float* a;  // (rows, inner)
  std::size_t a_stride;
  const float* b;  // (inner, columns)
  std::size_t b_stride;
  float* c;  // (rows, columns)
  std::size_t c_stride;
  std::size_t inner;
  std::size_t columns;  // a multiple of kBlockRows
};

template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void multiply_columns(const SmallProduct& product, std::size_t column) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  hn::Vec<hn::ScalableTag<float>> sum[kRows][kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (std::size_t j = 0; j < kVectors; ++j) sum[i][j] = hn::Zero(d);
  }
  const float* HWY_RESTRICT a = product.a;
  const float* HWY_RESTRICT b = product.b + column;
  for (std::size_t k = 0; k < product.inner; ++k, b += product.b_stride) {
    hn::Vec<hn::ScalableTag<float>> right[kVectors];
#pragma GCC unroll 2
    for (std::size_t j = 0; j < kVectors; ++j) right[j] = hn::LoadU(d, b + j * n);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      const auto left = hn::Set(d, a[i * product.a_stride + k]);
#pragma GCC unroll 2
      for (std::size_t j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(left, right[j], sum[i][j]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (std::size_t j = 0; j < kVectors; ++j)
      hn::StoreU(sum[i][j], d, product.c + i * product.c_stride + column + j * n);
  }
}

template <std::size_t kRows>
HWY_NOINLINE void multiply_tile_of(const SmallProduct& product) {
  const std::size_t n = hn::Lanes(hn::ScalableTag<float>());
  std::size_t column = 0;
  for (; column + 2 * n <= product.columns; column += 2 * n)
    multiply_columns<kRows, 2>(product, column);
  if (column < product.columns) multiply_columns<kRows, 1>(product, column);
}

/// `rows` is a result of rows_of_tile().
HWY_INLINE void multiply_small(std::size_t rows, const SmallProduct& product) {
  switch (rows) {
    case 1:
      return multiply_tile_of<1>(product);
    case 2:
      return multiply_tile_of<2>(product);
    case 4:
      return multiply_tile_of<4>(product);
    default:
      return multiply_tile_of<kTileRows>(product);
  }
}

/// Rows of a matrix to be packed.
struct PackedFrom {
  const float* values;
  std::size_t stride;
  std::size_t rows;
  std::size_t width;  // a multiple of 4
};

/// The rows of a matrix, a vector of them, of which each column becomes a vector; rows after the
/// last one repeat it.
class TransposedRows {
 public:
  TransposedRows(const PackedFrom& from, std::size_t first) {
    for (std::size_t i = 0; i < kRows; ++i)
      lines_[i] = from.values + std::min(first + i, from.rows - 1) * from.stride;
  }

  /// Calls body(column, vector) for columns i to i + 3.
  template <class Body>
  HWY_INLINE void transpose_four(std::size_t i, const Body& body) const {
    const hn::ScalableTag<float> d;
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t j = 0; j < 4; ++j) body(i + j, hn::Set(d, lines_[0][i + j]));
#else
    const hn::RepartitionToWide<decltype(d)> pairs;
    const auto a = every_fourth_row(d, 0, i), b = every_fourth_row(d, 1, i);
    const auto c = every_fourth_row(d, 2, i), e = every_fourth_row(d, 3, i);
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
    const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
    body(i, hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)));
    body(i + 1, hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)));
    body(i + 2, hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)));
    body(i + 3, hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)));
#endif
  }

 private:
  static constexpr std::size_t kRows = HWY_LANES(float);

#if HWY_TARGET != HWY_SCALAR
  /// Four floats, from i on, of every fourth row, from `row` on.
  template <class D>
  HWY_INLINE hn::Vec<D> every_fourth_row(D d, std::size_t row, std::size_t i) const {
    if constexpr (hn::MaxLanes(D()) == 4) {
      return hn::LoadU(d, lines_[row] + i);
    } else {
      const hn::Half<D> half;
      return hn::Combine(d, every_fourth_row(half, row + hn::MaxLanes(half), i),
                         every_fourth_row(half, row, i));
    }
  }
#endif

  const float* lines_[kRows];
};

/// Copies rows to the columns of a matrix with `padded` columns, whole vectors; columns after the
/// last row repeat it.
HWY_INLINE void pack_transposed(const PackedFrom& from, float* to, std::size_t padded) {
  const hn::ScalableTag<float> d;
  for (std::size_t row = 0; row < padded; row += hn::Lanes(d)) {
    const TransposedRows rows(from, row);
    for (std::size_t i = 0; i < from.width; i += 4) {
      rows.transpose_four(i, [&](std::size_t column, auto values) HWY_ATTR {
        hn::StoreU(values, d, to + column * padded + row);
      });
    }
  }
}

/// c = a bᵀ for the rows of b; of c, whole vectors.
struct TransposedProduct {
  const float* a;  // (rows, width)
  std::size_t a_stride;
  PackedFrom b;
  float* c;  // (rows, b.rows)
  std::size_t c_stride;
};

template <std::size_t kRows>
HWY_NOINLINE void multiply_transposed_of(const TransposedProduct& product) {
  const hn::ScalableTag<float> d;
  const auto& [a, a_stride, b, c, c_stride] = product;
  for (std::size_t row = 0; row < b.rows; row += hn::Lanes(d)) {
    const TransposedRows rows(b, row);
    hn::Vec<hn::ScalableTag<float>> sum[kRows];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) sum[i] = hn::Zero(d);
    for (std::size_t k = 0; k < b.width; k += 4) {
      rows.transpose_four(k, [&](std::size_t column, auto right) HWY_ATTR {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kRows; ++i)
          sum[i] = hn::MulAdd(hn::Set(d, a[i * a_stride + column]), right, sum[i]);
      });
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) hn::StoreU(sum[i], d, c + i * c_stride + row);
  }
}

/// For products with few rows, for which packing b would take longer; `rows` is a result of
/// rows_of_tile().
HWY_INLINE void multiply_transposed(std::size_t rows, const TransposedProduct& product) {
  switch (rows) {
    case 1:
      return multiply_transposed_of<1>(product);
    case 2:
      return multiply_transposed_of<2>(product);
    case 4:
      return multiply_transposed_of<4>(product);
    default:
      return multiply_transposed_of<kTileRows>(product);
  }
}

/// Copies rows to rows of `padded` floats, of which the last are 0.
HWY_INLINE void pack_rows(const PackedFrom& from, float* to, std::size_t padded) {
  const float* values = from.values;
  for (std::size_t row = 0; row < from.rows; ++row, values += from.stride, to += padded) {
    for_vectors(from.width, [&](auto d, std::size_t i)
                                HWY_ATTR { hn::StoreU(hn::LoadU(d, values + i), d, to + i); });
    std::fill(to + from.width, to + padded, 0.0F);
  }
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
