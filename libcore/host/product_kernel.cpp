// The algorithm is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication" (2008): panels of both operands are packed so that the innermost loop reads them
// in order from the nearest caches, and keeps a tile of the result in registers.
//
// Highway compiles this file once for each instruction set.
#include "host/product_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/error.hpp"
#include "base/numbers.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/product_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

// A tile of kTileRows by two vectors stays in registers, beside two vectors of b and one of a.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t kTileRows = 14;  // 32 registers
#elif HWY_ARCH_ARM_A64
constexpr std::size_t kTileRows = 12;
#else
constexpr std::size_t kTileRows = 6;  // 16 registers
#endif

// A block of a fits the second-level cache, a panel of b the first.
constexpr std::size_t kInner = 256;
constexpr std::size_t kMaxRows = 224;
constexpr std::size_t kRows = kTileRows * (kMaxRows / kTileRows);
constexpr std::size_t kColumns = 2048;

HWY_INLINE std::size_t lanes() {
  return hn::Lanes(Tag());
}
HWY_INLINE std::size_t panel_columns() {
  return 2 * lanes();
}

/// The rows of the next tile of `rows` rows: kTileRows, or a power of two.
HWY_INLINE std::size_t tile_rows(std::size_t rows) {
  if (rows >= kTileRows) return kTileRows;
  std::size_t tile = 1;
  while (2 * tile <= rows && 2 * tile < kTileRows) tile *= 2;
  return tile;
}

/// Calls body(rows), for a result of tile_rows(), with a constant.
template <class Body>
HWY_INLINE void with_rows(std::size_t rows, const Body& body) {
  switch (rows) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>());
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
    case 8:
      return body(std::integral_constant<std::size_t, 8>());
#endif
    default:
      return body(std::integral_constant<std::size_t, kTileRows>());
  }
}

/// One tile of the result over a part of the inner index.
struct Tile {
  std::size_t inner;
  const float* a;  // (inner, tile rows)
  const float* b;  // (inner, panel columns)
  float* c;
  std::size_t stride;   // of c
  std::size_t columns;  // at most those of a panel
  bool is_first;        // part of the inner index
  bool is_last;
  Start start;
  const float* bias;  // of the tile's columns
  Finish finish;
};

template <std::size_t kRowsOfTile>
HWY_INLINE void multiply_tile(const Tile& tile) {
  const Tag d;
  const std::size_t n = lanes();
  Vector sum[kRowsOfTile][2];
  if (!tile.is_first || tile.start == Start::kResult) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRowsOfTile; ++i) {
      sum[i][0] = hn::LoadU(d, tile.c + i * tile.stride);
      sum[i][1] = hn::LoadU(d, tile.c + i * tile.stride + n);
    }
  } else {
    const bool has_bias = tile.start == Start::kBias;
    const Vector v0 = has_bias ? hn::LoadU(d, tile.bias) : hn::Zero(d);
    const Vector v1 = has_bias ? hn::LoadU(d, tile.bias + n) : hn::Zero(d);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRowsOfTile; ++i) sum[i][0] = v0, sum[i][1] = v1;
  }
  // The result of the rows below, which are mostly the next tile.
#pragma GCC unroll 16
  for (std::size_t i = kRowsOfTile; i < 2 * kRowsOfTile; ++i) {
    const float* const c = tile.c + i * tile.stride;
    hwy::Prefetch(c);
    hwy::Prefetch(c + 2 * n - 1);
  }
  const float* HWY_RESTRICT a = tile.a;
  const float* HWY_RESTRICT b = tile.b;
  for (std::size_t k = 0; k < tile.inner; ++k) {
    const Vector b0 = hn::Load(d, b), b1 = hn::Load(d, b + n);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRowsOfTile; ++i) {
      const Vector x = hn::Set(d, a[i]);
      sum[i][0] = hn::MulAdd(x, b0, sum[i][0]);
      sum[i][1] = hn::MulAdd(x, b1, sum[i][1]);
    }
    a += kRowsOfTile;
    b += 2 * n;
  }
  if (tile.is_last && tile.finish == Finish::kRelu) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRowsOfTile; ++i) {
      sum[i][0] = rectified(Tag(), sum[i][0]);
      sum[i][1] = rectified(Tag(), sum[i][1]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRowsOfTile; ++i) {
    hn::StoreU(sum[i][0], d, tile.c + i * tile.stride);
    hn::StoreU(sum[i][1], d, tile.c + i * tile.stride + n);
  }
}

HWY_NOINLINE void multiply_tile(std::size_t rows, const Tile& tile) {
  with_rows(rows, [&](auto count) HWY_ATTR { multiply_tile<count()>(tile); });
}

/// A tile with fewer columns than a panel: its result and bias are copied to and from full rows.
HWY_NOINLINE void multiply_narrow_tile(std::size_t rows, const Tile& tile) {
  constexpr std::size_t kMaxPanel = 2 * HWY_LANES(float);
  HWY_ALIGN float c[kTileRows * kMaxPanel] = {};
  HWY_ALIGN float bias[kMaxPanel] = {};
  const std::size_t bytes = sizeof(float) * tile.columns;
  if (!tile.is_first || tile.start == Start::kResult) {
    for (std::size_t i = 0; i < rows; ++i)
      std::memcpy(c + i * kMaxPanel, tile.c + i * tile.stride, bytes);
  } else if (tile.start == Start::kBias) {
    std::memcpy(bias, tile.bias, bytes);
  }
  Tile full = tile;
  full.c = c;
  full.stride = kMaxPanel;
  full.bias = bias;
  multiply_tile(rows, full);
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(tile.c + i * tile.stride, c + i * kMaxPanel, bytes);
}

/// Copies four numbers of each of four vectors, `between` apart, to the columns of a matrix.
HWY_INLINE void transpose_four(const float* from, std::size_t between, float* to,
                               std::size_t columns) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t k = 0; k < 4; ++k) to[k * columns + j] = from[j * between + k];
#else
  const hn::CappedTag<float, 4> d;
  const auto v0 = hn::LoadU(d, from), v1 = hn::LoadU(d, from + between),
             v2 = hn::LoadU(d, from + 2 * between), v3 = hn::LoadU(d, from + 3 * between);
  const auto even = hn::InterleaveLower(d, v0, v2), odd = hn::InterleaveLower(d, v1, v3);
  const auto more_even = hn::InterleaveUpper(d, v0, v2), more_odd = hn::InterleaveUpper(d, v1, v3);
  hn::StoreU(hn::InterleaveLower(d, even, odd), d, to);
  hn::StoreU(hn::InterleaveUpper(d, even, odd), d, to + columns);
  hn::StoreU(hn::InterleaveLower(d, more_even, more_odd), d, to + 2 * columns);
  hn::StoreU(hn::InterleaveUpper(d, more_even, more_odd), d, to + 3 * columns);
#endif
}

/// Copies `width` vectors of `count` numbers, `between` apart, to the columns of a matrix with
/// `columns` columns.
HWY_INLINE void transpose(const float* from, std::size_t between, std::size_t width,
                          std::size_t count, float* to, std::size_t columns) {
  // Few numbers at a time, so that the lines that are written stay in the first-level cache.
  constexpr std::size_t kAtATime = 16;
  for (std::size_t first = 0; first < count; first += kAtATime) {
    const std::size_t end = std::min(first + kAtATime, count);
    for (std::size_t j = 0; j < width;) {
      const float* const vectors = from + j * between;
      std::size_t k = first;
      if (width - j < 4) {
        for (; k < end; ++k) to[k * columns + j] = vectors[k];
        ++j;
        continue;
      }
      for (; k + 4 <= end; k += 4)
        transpose_four(vectors + k, between, to + k * columns + j, columns);
      for (; k < end; ++k) {
        for (std::size_t i = 0; i < 4; ++i) to[k * columns + j + i] = vectors[i * between + k];
      }
      j += 4;
    }
  }
}

/// Packs a tile of kRowsOfTile rows, an even number.
template <std::size_t kRowsOfTile>
HWY_INLINE void pack_rows(const float* from, std::size_t stride, std::size_t inner, float* to) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  // Four numbers of each row.  Those of two rows are interleaved to pairs, one for each k, two in a
  // vector: `low` has the first two.  The packed tile has all pairs of k, then those of k + 1.
  constexpr std::size_t kPairs = kRowsOfTile / 2;
  const hn::CappedTag<float, 4> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  for (; k + 4 <= inner; k += 4, to += 4 * kRowsOfTile) {
    hn::Vec<decltype(wide)> low[kPairs], high[kPairs];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kPairs; ++i) {
      const auto even = hn::LoadU(d, from + 2 * i * stride + k);
      const auto odd = hn::LoadU(d, from + (2 * i + 1) * stride + k);
      low[i] = hn::BitCast(wide, hn::InterleaveLower(d, even, odd));
      high[i] = hn::BitCast(wide, hn::InterleaveUpper(d, even, odd));
    }
    const auto store = [&](const auto& pairs, float* place) HWY_ATTR {
      const auto put = [&](auto values, std::size_t i)
                           HWY_ATTR { hn::StoreU(hn::BitCast(d, values), d, place + 4 * i); };
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kPairs; ++i) {
        const std::size_t first = 2 * i, second = first + 1;
        if (second < kPairs) {
          put(hn::InterleaveLower(wide, pairs[first], pairs[second]), i);
        } else if (first < kPairs) {
          put(hn::ConcatUpperLower(wide, pairs[0], pairs[first]), i);
        } else {
          put(hn::InterleaveUpper(wide, pairs[first - kPairs], pairs[second - kPairs]), i);
        }
      }
    };
    store(low, to);
    store(high, to + 2 * kRowsOfTile);
  }
#endif
  for (; k < inner; ++k, to += kRowsOfTile) {
    for (std::size_t i = 0; i < kRowsOfTile; ++i) to[i] = from[i * stride + k];
  }
}

/// Packs a tile of kRowsOfTile columns of the stored matrix.
template <std::size_t kRowsOfTile>
HWY_INLINE void pack_columns(const float* from, std::size_t stride, std::size_t inner, float* to) {
  for (std::size_t k = 0; k < inner; ++k, from += stride, to += kRowsOfTile)
    std::memcpy(to, from, sizeof(float) * kRowsOfTile);
}

/// Packs rows [first, first + inner) and `columns` columns of b into panels.
HWY_INLINE void pack_b(const Operand& b, std::size_t first, std::size_t inner,
                       std::size_t first_column, std::size_t columns, float* packed) {
  const Tag d;
  const std::size_t panel = panel_columns();
  for (std::size_t j = 0; j < columns; j += panel) {
    const std::size_t width = b.stored(first_column + j, std::min(panel, columns - j));
    float* const to = packed + j * inner;
    if (width < panel) std::memset(to, 0, sizeof(float) * panel * inner);
    if (width == 0) continue;
    if (b.order == Order::kColumns) {
      transpose(b.values + (first_column + j) * b.stride + first, b.stride, width, inner, to,
                panel);
      continue;
    }
    const float* from = b.values + first * b.stride + first_column + j;
    for (std::size_t k = 0; k < inner; ++k, from += b.stride) {
      if (width == panel) {
        hn::Store(hn::LoadU(d, from), d, to + k * panel);
        hn::Store(hn::LoadU(d, from + panel / 2), d, to + k * panel + panel / 2);
      } else {
        std::memcpy(to + k * panel, from, sizeof(float) * width);
      }
    }
  }
}

/// Packs one tile of a.
template <std::size_t kRowsOfTile>
HWY_NOINLINE void pack_tile(const Operand& a, std::size_t row, std::size_t first, std::size_t inner,
                            float* to) {
  if (a.order == Order::kColumns)
    return pack_columns<kRowsOfTile>(a.values + first * a.stride + row, a.stride, inner, to);
  const float* const from = a.values + row * a.stride + first;
  if constexpr (kRowsOfTile == 1) {
    std::memcpy(to, from, sizeof(float) * inner);
  } else {
    pack_rows<kRowsOfTile>(from, a.stride, inner, to);
  }
}

/// Packs `rows` rows and a part of the inner index of a into tiles, one after the other.
HWY_INLINE void pack_a(const Operand& a, std::size_t first_row, std::size_t rows, std::size_t first,
                       std::size_t inner, float* packed) {
  for (std::size_t i = 0; i < rows;) {
    const std::size_t tile = tile_rows(rows - i);
    with_rows(tile, [&](auto count) HWY_ATTR {
      pack_tile<count()>(a, first_row + i, first, inner, packed + i * inner);
    });
    i += tile;
  }
}

TileShape tile_shape() {
  return {kTileRows, panel_columns()};
}

void pack(const Operand& b, std::size_t inner, std::size_t columns, float* packed) {
  const std::size_t panel = panel_columns();
  const std::size_t padded = base::divide_up(columns, panel) * panel;
  for (std::size_t first = 0; first < inner; first += kInner)
    pack_b(b, first, std::min(kInner, inner - first), 0, columns, packed + first * padded);
}

/// The same for all instruction sets, as a thread may change its own.
std::size_t scratch_floats() {
  return kInner * (kMaxRows + kColumns);
}

void multiply_block(const Product& product, const Block& block, const float* packed,
                    float* scratch) {
  const std::size_t panel = panel_columns();
  const std::size_t padded = base::divide_up(product.columns, panel) * panel;
  float* const packed_a = scratch;
  float* const own_b = scratch + kInner * kRows;
  const std::size_t end_column = block.first_column + block.columns;
  const std::size_t end_row = block.first_row + block.rows;
  for (std::size_t column = block.first_column; column < end_column; column += kColumns) {
    const std::size_t columns = std::min(kColumns, end_column - column);
    for (std::size_t first = 0; first < product.inner; first += kInner) {
      const std::size_t inner = std::min(kInner, product.inner - first);
      if (packed == nullptr) pack_b(product.b, first, inner, column, columns, own_b);
      const float* const b = packed == nullptr ? own_b : packed + first * padded + column * inner;
      for (std::size_t row = block.first_row; row < end_row; row += kRows) {
        const std::size_t rows = std::min(kRows, end_row - row);
        pack_a(product.a, row, rows, first, inner, packed_a);
        for (std::size_t j = 0; j < columns; j += panel) {
          for (std::size_t i = 0; i < rows;) {
            const std::size_t tile = tile_rows(rows - i);
            const Tile next{.inner = inner,
                            .a = packed_a + i * inner,
                            .b = b + j * inner,
                            .c = product.c + (row + i) * product.columns + column + j,
                            .stride = product.columns,
                            .columns = std::min(panel, columns - j),
                            .is_first = first == 0,
                            .is_last = first + inner == product.inner,
                            .start = product.start,
                            .bias = product.bias + column + j,
                            .finish = product.finish};
            if (next.columns == panel) {
              multiply_tile(tile, next);
            } else {
              multiply_narrow_tile(tile, next);
            }
            i += tile;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(tile_shape);
HWY_EXPORT(pack);
HWY_EXPORT(scratch_floats);
HWY_EXPORT(multiply_block);

TileShape tile_shape() {
  return HWY_DYNAMIC_DISPATCH(tile_shape)();
}

std::size_t packed_floats(std::size_t inner, std::size_t columns) {
  const std::size_t panel = tile_shape().columns;
  return inner * (base::divide_up(columns, panel) * panel);
}

void pack(const Operand& b, std::size_t inner, std::size_t columns, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(b, inner, columns, packed);
}

std::size_t scratch_floats() {
  return HWY_DYNAMIC_DISPATCH(scratch_floats)();
}

void multiply_block(const Product& product, const Block& block, const float* packed,
                    float* scratch) {
  HWY_DYNAMIC_DISPATCH(multiply_block)(product, block, packed, scratch);
}

// Highway calls AVX-512 AVX3, a name of its own.
std::string_view instruction_set() {
  const auto name = instruction_sets().front();
  return name.starts_with("AVX3") ? "AVX-512" : name;
}

// Highway numbers better sets lower.
std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (; targets != 0; targets &= targets - 1)
    names.emplace_back(hwy::TargetName(targets & -targets));
  return names;
}

void use_instruction_set(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  if (!name.empty()) {
    auto targets = hwy::SupportedTargets() & HWY_TARGETS;
    while (targets != 0 && name != hwy::TargetName(targets & -targets)) targets &= targets - 1;
    base::check(targets != 0, "the instruction set is one of instruction_sets()");
    hwy::SetSupportedTargetsForTest(targets & -targets);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace awend::host
#endif
