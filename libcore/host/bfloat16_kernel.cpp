#include "host/bfloat16_kernel.hpp"

#include "base/error.hpp"

#if defined(__x86_64__)
#if !defined(__clang__)  // GCC warns of undefined registers in its own header, bug 105593
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>

namespace awend::host {
namespace {

constexpr std::size_t kLanes = 16;

[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] __mmask16 first_lanes(std::size_t count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xffff : (1U << count) - 1);
}

/// Up to 16 numbers; zeros after them.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] __m512 load(const float* x,
                                                                    std::size_t count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), x);
}

/// Up to 32 numbers, rounded.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] __m512i rounded(const float* x,
                                                                        std::size_t count) {
  const __m512 low = load(x, count);
  const __m512 high = count > kLanes ? load(x + kLanes, count - kLanes) : _mm512_setzero_ps();
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

/// Pairs of rounded numbers: x in the lower halves, y in the upper ones.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] __m512i paired(__m512 x, __m512 y) {
  const __m512i low = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(x));
  const __m512i high = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(y));
  return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

/// Pairs of rows `first` and `first` + 1 of a matrix of `inner` rows.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] __m512i paired_rows(
    const Operand& x, std::size_t first, std::size_t inner, std::size_t column, std::size_t count) {
  if (first >= inner) return _mm512_setzero_si512();
  const float* const row = x.values + first * x.stride + column;
  const __m512 next = first + 1 < inner ? load(row + x.stride, count) : _mm512_setzero_ps();
  return paired(load(row, count), next);
}

/// Transposes a matrix (16, 16).
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void transpose(__m512i (&x)[16]) {
  __m512i y[16];
  for (int i = 0; i < 16; i += 2) {
    y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
    y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    for (int j = 0; j < 2; ++j) {
      x[i + 2 * j] = _mm512_unpacklo_epi64(y[i + j], y[i + j + 2]);
      x[i + 2 * j + 1] = _mm512_unpackhi_epi64(y[i + j], y[i + j + 2]);
    }
  }
  // Row i of 16 has columns i % 4 + 4 · lane of rows 4 · (i / 4) to 4 · (i / 4) + 3.
  for (int i = 0; i < 4; ++i) {
    y[i] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0x88);
    y[i + 4] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0xdd);
    y[i + 8] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0x88);
    y[i + 12] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0xdd);
  }
  for (int i = 0; i < 4; ++i) {
    x[i] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0x88);
    x[i + 8] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0xdd);
    x[i + 4] = _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0x88);
    x[i + 12] = _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0xdd);
  }
}

/// Rounded inner indices [k, k + 32) of 16 vectors of an operand, from `first` on: one in each of
/// `out`, which are the vectors, or (transposed) the pairs.
struct Square {
  const Operand& x;
  std::size_t first, count;
  std::size_t k, inner;
};

[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void load_contiguous(const Square& s,
                                                                             __m512i (&out)[16]) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    out[i] = i < s.count ? rounded(s.x.values + (s.first + i) * s.x.stride + s.k,
                                   std::min(s.inner - s.k, kBfloat16Step))
                         : _mm512_setzero_si512();
  }
}

[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void load_pairs(const Square& s,
                                                                        __m512i (&out)[16]) {
  for (std::size_t i = 0; i < kLanes; ++i)
    out[i] = paired_rows(s.x, s.k + 2 * i, s.inner, s.first, s.count);
}

/// Rounds a square of the left operand: 16 rows.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void pack_rows(const Square& s,
                                                                       std::size_t stride,
                                                                       std::uint16_t* packed) {
  __m512i square[16];
  if (s.x.order == Order::kRows) {
    load_contiguous(s, square);
  } else {
    load_pairs(s, square);
    transpose(square);
  }
  for (std::size_t i = 0; i < kLanes; ++i)
    _mm512_storeu_si512(packed + i * stride + s.k, square[i]);
}

/// Rounds a square of the right operand: 16 columns.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void pack_columns(const Square& s,
                                                                          std::uint16_t* packed) {
  __m512i square[16];
  if (s.x.order == Order::kRows) {
    load_pairs(s, square);
  } else {
    load_contiguous(s, square);
    transpose(square);
  }
  for (std::size_t i = 0; i < kLanes; ++i)
    _mm512_storeu_si512(packed + (s.k + 2 * i) * kBfloat16Columns, square[i]);
}

/// Calls pack(first, k) for the squares of vectors [begin, end), in the order in which they are in
/// memory: if the inner index is contiguous, all of one vector first.
template <class Pack>
void for_squares(std::size_t begin, std::size_t end, std::size_t inner, bool is_contiguous,
                 const Pack& pack) {
  if (is_contiguous) {
    for (std::size_t first = begin; first < end; first += kLanes)
      for (std::size_t k = 0; k < inner; k += kBfloat16Step) pack(first, k);
  } else {
    for (std::size_t k = 0; k < inner; k += kBfloat16Step)
      for (std::size_t first = begin; first < end; first += kLanes) pack(first, k);
  }
}

template <std::size_t kRows>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void sum_rows(const Bfloat16Tile& tile,
                                                                      std::size_t first) {
  __m512 sum[kRows][2];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = _mm512_setzero_ps();
  const std::size_t stride = tile.steps * kBfloat16Step;
  const std::uint16_t* a = tile.a + first * stride;
  const std::uint16_t* b = tile.b;
  for (std::size_t k = 0; k < stride; k += 2) {
    const auto b0 = (__m512bh)_mm512_loadu_si512(b);
    const auto b1 = (__m512bh)_mm512_loadu_si512(b + kBfloat16Columns);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      std::int32_t pair;
      std::copy_n(reinterpret_cast<const char*>(a + i * stride + k), sizeof pair,
                  reinterpret_cast<char*>(&pair));
      const auto x = (__m512bh)_mm512_set1_epi32(pair);
      sum[i][0] = _mm512_dpbf16_ps(sum[i][0], x, b0);
      sum[i][1] = _mm512_dpbf16_ps(sum[i][1], x, b1);
    }
    b += 2 * kBfloat16Columns;
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
    float* const sums = tile.sums + (first + i) * kBfloat16Columns;
    _mm512_storeu_ps(sums, sum[i][0]);
    _mm512_storeu_ps(sums + kLanes, sum[i][1]);
  }
}

[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void write_part(const Product& product,
                                                                        const TilePlace& place,
                                                                        std::size_t part,
                                                                        const float* sums) {
  if (part >= place.columns) return;
  const __mmask16 lanes = first_lanes(place.columns - part);
  const std::size_t column = place.column + part;
  __m512 start = _mm512_setzero_ps();
  if (product.start == Start::kBias) start = _mm512_maskz_loadu_ps(lanes, product.bias + column);
  for (std::size_t i = 0; i < place.rows; ++i) {
    float* const c = product.c + (place.row + i) * product.columns + column;
    if (product.start == Start::kResult) start = _mm512_maskz_loadu_ps(lanes, c);
    __m512 value = _mm512_add_ps(start, _mm512_loadu_ps(sums + i * kBfloat16Columns + part));
    if (product.finish == Finish::kRelu) {  // NaN stays NaN
      const __mmask16 negative = _mm512_cmp_ps_mask(value, _mm512_setzero_ps(), _CMP_LT_OQ);
      value = _mm512_mask_mov_ps(value, negative, _mm512_setzero_ps());
    }
    _mm512_mask_storeu_ps(c, lanes, value);
  }
}

constexpr int kRowBytes = 2 * kBfloat16Columns * sizeof(std::uint16_t);  // of a panel's pairs
constexpr int kSumBytes = kBfloat16Columns * sizeof(float);

[[gnu::target("amx-tile,amx-bf16")]] void sum_tile(const Bfloat16Tile& tile) {
  const auto stride = static_cast<long>(tile.steps * kAmxRowBytes);
  const auto* a = reinterpret_cast<const char*>(tile.a);
  const auto* b = reinterpret_cast<const char*>(tile.b);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t step = 0; step < tile.steps; ++step) {
    _tile_loadd(6, b, kRowBytes);
    _tile_loadd(4, a, stride);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, b + kAmxRowBytes, kRowBytes);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(5, a + kAmxRows * stride, stride);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    a += kAmxRowBytes;
    b += kAmxRows * kRowBytes;
  }
  float* const next = tile.sums + kAmxRows * kBfloat16Columns;
  _tile_stored(0, tile.sums, kSumBytes);
  _tile_stored(1, tile.sums + kAmxColumns, kSumBytes);
  _tile_stored(2, next, kSumBytes);
  _tile_stored(3, next + kAmxColumns, kSumBytes);
}

}  // namespace

bool has_avx512_bfloat16() {
  return __builtin_cpu_supports("avx512bf16") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}

void pack_rows(const Operand& a, const Vectors& rows, std::uint16_t* packed) {
  const std::size_t stride = padded_inner(rows.inner);
  for_squares(rows.begin, rows.end, rows.inner, a.order == Order::kRows,
              [&](std::size_t first, std::size_t k) {
                const std::size_t count = rows.count > first ? rows.count - first : 0;
                pack_rows({a, first, std::min(count, kLanes), k, rows.inner}, stride,
                          packed + first * stride);
              });
}

void pack_columns(const Operand& b, const Vectors& columns, std::uint16_t* packed) {
  const std::size_t stride = padded_inner(columns.inner);
  for_squares(columns.begin, columns.end, columns.inner, b.order == Order::kColumns,
              [&](std::size_t first, std::size_t k) {
                const std::size_t count =
                    b.stored(first, columns.count > first ? columns.count - first : 0);
                const std::size_t place = first % kBfloat16Columns;
                pack_columns({b, first, std::min(count, kLanes), k, columns.inner},
                             packed + (first - place) * stride + 2 * place);
              });
}

void sum_amx(const Bfloat16Tile& tile) {
  // The compiler does not know that the instructions read and write memory.
  asm volatile("" ::: "memory");
  sum_tile(tile);
  asm volatile("" ::: "memory");
}

void sum_avx512(const Bfloat16Tile& tile, std::size_t rows) {
  std::size_t row = 0;
  for (; rows - row >= 12; row += 12) sum_rows<12>(tile, row);
  for (; rows - row >= 8; row += 8) sum_rows<8>(tile, row);
  for (; rows - row >= 4; row += 4) sum_rows<4>(tile, row);
  for (; rows - row >= 1; row += 1) sum_rows<1>(tile, row);
}

void write_tile(const Product& product, const TilePlace& place, const float* sums) {
  write_part(product, place, 0, sums);
  write_part(product, place, kLanes, sums);
}

}  // namespace awend::host
#else
namespace awend::host {

namespace {
constexpr const char* kHasInstructions = "the processor has instructions for bf16";
}

bool has_avx512_bfloat16() {
  return false;
}

void pack_rows(const Operand&, const Vectors&, std::uint16_t*) {
  base::check(false, kHasInstructions);
}

void pack_columns(const Operand&, const Vectors&, std::uint16_t*) {
  base::check(false, kHasInstructions);
}

void sum_amx(const Bfloat16Tile&) {
  base::check(false, kHasInstructions);
}

void sum_avx512(const Bfloat16Tile&, std::size_t) {
  base::check(false, kHasInstructions);
}

void write_tile(const Product&, const TilePlace&, const float*) {
  base::check(false, kHasInstructions);
}

}  // namespace awend::host
#endif
