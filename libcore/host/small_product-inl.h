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

/// Copies rows to the columns of a matrix with `padded` columns, a multiple of 4; columns after the
/// last row repeat it.
HWY_INLINE void pack_transposed(const PackedFrom& from, float* to, std::size_t padded) {
  for (std::size_t row = 0; row < padded; row += 4) {
    const auto line = [&](std::size_t i) {
      return from.values + std::min(row + i, from.rows - 1) * from.stride;
    };
    const float* const lines[] = {line(0), line(1), line(2), line(3)};
    for (std::size_t i = 0; i < from.width; i += 4) {
      float* const out = to + i * padded + row;
#if HWY_TARGET == HWY_SCALAR
      for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t n = 0; n < 4; ++n) out[j * padded + n] = lines[n][i + j];
      }
#else
      const Four d;
      const hn::Repartition<double, Four> pairs;
      const auto a = hn::LoadU(d, lines[0] + i), b = hn::LoadU(d, lines[1] + i);
      const auto c = hn::LoadU(d, lines[2] + i), e = hn::LoadU(d, lines[3] + i);
      const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
      const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
      const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
      const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)), d, out);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)), d, out + padded);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)), d, out + 2 * padded);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)), d, out + 3 * padded);
#endif
    }
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
