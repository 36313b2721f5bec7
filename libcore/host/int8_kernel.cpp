// Highway compiles this file once for each instruction set.
#include "host/int8_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.hpp"
#include "host/int8_amx.hpp"
#include "host/int8_vnni.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/int8_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/magnitude-inl.h"
#include "host/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using IntTag = hn::ScalableTag<std::int32_t>;
using FloatTag = hn::ScalableTag<float>;

#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t kTileRows = 14;  // 32 registers
#elif HWY_TARGET == HWY_AVX2
constexpr std::size_t kTileRows = 6;  // 16 registers
#else
constexpr std::size_t kTileRows = 2;  // a sum may need two registers
#endif

#if HWY_TARGET <= HWY_AVX3
constexpr bool kMayHaveVnni = true;
#else
constexpr bool kMayHaveVnni = false;
#endif

#if HWY_TARGET == HWY_SCALAR

template <std::size_t kRows>
void sum_pairs(const Int8Tile& tile, std::size_t first) {
  constexpr std::size_t kColumns = 2;
  const auto* const b = reinterpret_cast<const std::int16_t*>(tile.b);
  for (std::size_t i = first; i < first + kRows; ++i) {
    const auto* const a = reinterpret_cast<const std::int16_t*>(tile.a + i * tile.a_stride_bytes);
    for (std::size_t j = 0; j < kColumns; ++j) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < 2 * tile.groups; ++k)
        sum += std::int32_t{a[k]} * b[(k / 2 * kColumns + j) * 2 + k % 2];
      tile.sums[i * kColumns + j] = sum;
    }
  }
}

#else

/// Sums of pairs of 16-bit products.
template <std::size_t kRows>
HWY_INLINE void sum_pairs(const Int8Tile& tile, std::size_t first) {
  const IntTag d;
  const hn::Repartition<std::int16_t, IntTag> d16;
  const std::size_t n = hn::Lanes(d);
  // Products of even and odd places may be summed separately; which, only Highway knows.
  hn::Vec<IntTag> sum[kRows][2], other[kRows][2];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < 2; ++j) sum[i][j] = other[i][j] = hn::Zero(d);
  const auto* a = reinterpret_cast<const std::int16_t*>(tile.a + first * tile.a_stride_bytes);
  const std::size_t stride = tile.a_stride_bytes / sizeof(std::int16_t);
  const auto* b = reinterpret_cast<const std::int16_t*>(tile.b);
  for (std::size_t group = 0; group < tile.groups; ++group) {
    const auto b0 = hn::Load(d16, b), b1 = hn::Load(d16, b + 2 * n);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      std::int32_t pair;
      hwy::CopySameSize(reinterpret_cast<const std::int32_t*>(a + i * stride), &pair);
      const auto x = hn::BitCast(d16, hn::Set(d, pair));
      sum[i][0] = hn::ReorderWidenMulAccumulate(d, x, b0, sum[i][0], other[i][0]);
      sum[i][1] = hn::ReorderWidenMulAccumulate(d, x, b1, sum[i][1], other[i][1]);
    }
    a += 2;
    b += 4 * n;
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      hn::StoreU(hn::RearrangeToOddPlusEven(sum[i][j], other[i][j]), d,
                 tile.sums + (first + i) * 2 * n + j * n);
    }
  }
}

#endif

void sum_tile(const Int8Tile& tile) {
  std::size_t row = 0;
  if (tile.rows == kTileRows) return sum_pairs<kTileRows>(tile, 0);
#if HWY_TARGET <= HWY_AVX3
  for (; tile.rows - row >= 8; row += 8) sum_pairs<8>(tile, row);
#endif
#if HWY_TARGET <= HWY_AVX2
  for (; tile.rows - row >= 4; row += 4) sum_pairs<4>(tile, row);
#endif
  for (; tile.rows - row >= 2; row += 2) sum_pairs<2>(tile, row);
  for (; tile.rows - row >= 1; row += 1) sum_pairs<1>(tile, row);
}

Int8Layout layout() {
  if (kMayHaveVnni && has_vnni()) {
    // With the gap, rows of a register are in different sets of the first-level cache.
    if (has_amx_int8()) return {kInt8AmxRows, kVnniColumns, 4, 1, kAmxRowBytes, kAmxRowBytes};
    return {kVnniRows, kVnniColumns, 4, 1, 4, 0};
  }
  return {kTileRows, 2 * hn::Lanes(IntTag()), 2, 2, 2, 0};
}

/// Writes `count` integers, the nearest to x · inverse + offset.
template <class Value>
HWY_INLINE void quantize(const float* x, std::size_t count, float inverse, std::int32_t offset,
                         Value* out) {
  const FloatTag d;
  const hn::Rebind<Value, FloatTag> narrow;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    const auto rounded = hn::NearestInt(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, inverse)));
    hn::StoreU(hn::DemoteTo(narrow, hn::Add(rounded, hn::Set(IntTag(), offset))), narrow, out + i);
  }
  for (; i < count; ++i) {
    const auto rounded = hn::NearestInt(hn::Set(d, x[i] * inverse));
    out[i] = static_cast<Value>(hn::GetLane(rounded) + offset);
  }
}

/// Quantizes a vector; returns its scale.
template <class Value>
HWY_INLINE float quantize(const float* x, std::size_t count, std::int32_t offset, std::byte* out) {
  const float largest = largest_magnitude(x, count);
  // Of numbers that are nearly 0, the inverse is not finite.
  const float inverse = 127.0F / largest;
  quantize(x, count, std::isfinite(inverse) ? inverse : 0, offset, reinterpret_cast<Value*>(out));
  return largest / 127.0F;
}

/// The same for a fixed factor, with integers limited to [-127, 127].
template <class Value>
HWY_INLINE void quantize_limited(const float* x, std::size_t count, float factor,
                                 std::int32_t offset, Value* out) {
  const FloatTag d;
  const hn::Rebind<Value, FloatTag> narrow;
  const std::size_t n = hn::Lanes(d);
  const auto limited = [&](auto value) HWY_ATTR {
    const auto scaled = hn::Mul(value, hn::Set(d, factor));
    return hn::NearestInt(hn::Max(hn::Min(scaled, hn::Set(d, 127.0F)), hn::Set(d, -127.0F)));
  };
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    const auto integers = hn::Add(limited(hn::LoadU(d, x + i)), hn::Set(IntTag(), offset));
    hn::StoreU(hn::DemoteTo(narrow, integers), narrow, out + i);
  }
  for (; i < count; ++i)
    out[i] = static_cast<Value>(hn::GetLane(limited(hn::Set(d, x[i]))) + offset);
}

float quantize_signed(const float* x, std::size_t count, std::size_t value_bytes, std::byte* out) {
  return value_bytes == 1 ? quantize<std::int8_t>(x, count, 0, out)
                          : quantize<std::int16_t>(x, count, 0, out);
}

void quantize_all(const QuantizedRows& t, std::size_t begin, std::size_t end) {
  const std::size_t inner = t.product.inner;
  for (std::size_t row = begin; row < end; ++row) {
    const float* const x = t.product.a.values + row * t.product.a.stride;
    std::byte* const out = t.values + row * t.stride_bytes;
    std::fill(out + inner * t.value_bytes, out + t.stride_bytes, std::byte{0});
    if (const float factor = t.left_scale; factor > 0) {
      if (t.value_bytes == 1) {
        quantize_limited(x, inner, factor, 128, reinterpret_cast<std::uint8_t*>(out));
      } else {
        quantize_limited(x, inner, factor, 0, reinterpret_cast<std::int16_t*>(out));
      }
      t.scales[row] = 1 / factor;
      continue;
    }
    t.scales[row] = t.value_bytes == 1 ? quantize<std::uint8_t>(x, inner, 128, out)
                                       : quantize<std::int16_t>(x, inner, 0, out);
  }
}

/// Writes rows of the result from their sums.
HWY_INLINE void write_row(const Int8Tiles& t, const std::int32_t* sums, std::size_t row,
                          std::size_t column) {
  const FloatTag d;
  const Product& product = t.product;
  const std::size_t n = hn::Lanes(d);
  const auto a_scale = hn::Set(d, t.a_scales[row]);
  float* const c = product.c + row * product.columns + column;
  const auto finished = [&](std::size_t i, auto start) HWY_ATTR {
    const auto scale = hn::Mul(a_scale, hn::LoadU(d, t.b_scales + column + i));
    const auto value = hn::MulAdd(hn::ConvertTo(d, hn::Load(IntTag(), sums + i)), scale, start);
    return product.finish == Finish::kRelu ? rectified(d, value) : value;
  };
  const float* const start = product.start == Start::kBias     ? product.bias + column
                             : product.start == Start::kResult ? c
                                                               : nullptr;
  const std::size_t count = std::min(t.layout.panel_columns, product.columns - column);
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    hn::StoreU(finished(i, start != nullptr ? hn::LoadU(d, start + i) : hn::Zero(d)), d, c + i);
  }
  if (i == count) return;
  HWY_ALIGN float starts[HWY_LANES(float)] = {}, rest[HWY_LANES(float)];
  if (start != nullptr) std::copy_n(start + i, count - i, starts);
  hn::Store(finished(i, hn::Load(d, starts)), d, rest);
  std::copy_n(rest, count - i, c + i);
}

void multiply_all(const Int8Tiles& t, std::size_t begin, std::size_t end) {
  const std::size_t tile_rows = t.layout.tile_rows, panel_columns = t.layout.panel_columns;
  const std::size_t value_bytes = t.layout.value_bytes;
  const std::size_t panel_bytes = t.groups * t.layout.group * value_bytes * panel_columns;
  const std::size_t row_tiles = base::divide_up(t.product.rows, tile_rows);
  const bool has_amx = tile_rows == kInt8AmxRows && t.product.rows >= kMinInt8AmxRows;
  const auto registers = has_amx ? std::make_optional<AmxRegisters>() : std::nullopt;
  HWY_ALIGN std::int32_t sums[std::max({kTileRows, kVnniRows, kInt8AmxRows}) *
                              std::max<std::size_t>(2 * HWY_LANES(std::int32_t), kVnniColumns)];
  for (std::size_t index = begin; index < end; ++index) {
    const std::size_t panel = index / row_tiles;
    const std::size_t first = index % row_tiles * tile_rows;
    const std::size_t rows = std::min(tile_rows, t.product.rows - first);
    const Int8Tile tile{.rows = rows,
                        .groups = t.groups,
                        .a = t.a + first * t.a_stride_bytes,
                        .a_stride_bytes = t.a_stride_bytes,
                        .b = t.b + panel * panel_bytes,
                        .starts = t.starts + panel * panel_columns,
                        .sums = sums};
    if (has_amx) {
      sum_amx(tile);
    } else if (value_bytes == 1) {
      sum_vnni(tile);
    } else {
      sum_tile(tile);
    }
    for (std::size_t row = 0; row < rows; ++row)
      write_row(t, sums + row * panel_columns, first + row, panel * panel_columns);
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(layout);
HWY_EXPORT(quantize_signed);
HWY_EXPORT(quantize_all);
HWY_EXPORT(multiply_all);

Int8Layout int8_layout() {
  return HWY_DYNAMIC_DISPATCH(layout)();
}

std::size_t groups_of(const Int8Layout& layout, std::size_t inner) {
  return base::divide_up(inner, layout.inner_multiple) * (layout.inner_multiple / layout.group);
}

float quantize_vector(const float* x, std::size_t count, std::size_t value_bytes, std::byte* out) {
  return HWY_DYNAMIC_DISPATCH(quantize_signed)(x, count, value_bytes, out);
}

void quantize_rows(const QuantizedRows& rows, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(quantize_all)(rows, begin, end);
}

void multiply_tiles(const Int8Tiles& tiles, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(tiles, begin, end);
}

}  // namespace awend::host
#endif
