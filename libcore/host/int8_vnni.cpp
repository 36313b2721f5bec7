#include "host/int8_vnni.hpp"

#include "base/error.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cstring>

namespace awend::host {
namespace {

template <std::size_t kRows>
[[gnu::target("avx512f,avx512vnni")]] void sum_rows(const Int8Tile& tile, std::size_t first) {
  __m512i sum[kRows][2];
  const __m512i start0 = _mm512_loadu_si512(tile.starts);
  const __m512i start1 = _mm512_loadu_si512(tile.starts + 16);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) sum[i][0] = start0, sum[i][1] = start1;
  const std::byte* a = tile.a + first * tile.a_stride_bytes;
  const std::byte* b = tile.b;
  for (std::size_t group = 0; group < tile.groups; ++group) {
    const __m512i b0 = _mm512_load_si512(b), b1 = _mm512_load_si512(b + 64);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      std::int32_t four;
      std::memcpy(&four, a + i * tile.a_stride_bytes, sizeof four);
      const __m512i x = _mm512_set1_epi32(four);
      sum[i][0] = _mm512_dpbusd_epi32(sum[i][0], x, b0);
      sum[i][1] = _mm512_dpbusd_epi32(sum[i][1], x, b1);
    }
    a += 4;
    b += 128;
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
    std::int32_t* const sums = tile.sums + (first + i) * kVnniColumns;
    _mm512_storeu_si512(sums, sum[i][0]);
    _mm512_storeu_si512(sums + 16, sum[i][1]);
  }
}

}  // namespace

bool has_vnni() {
  return __builtin_cpu_supports("avx512vnni") != 0;
}

void sum_vnni(const Int8Tile& tile) {
  if (tile.rows == kVnniRows) return sum_rows<kVnniRows>(tile, 0);
  std::size_t row = 0;
  for (; tile.rows - row >= 8; row += 8) sum_rows<8>(tile, row);
  for (; tile.rows - row >= 4; row += 4) sum_rows<4>(tile, row);
  for (; tile.rows - row >= 2; row += 2) sum_rows<2>(tile, row);
  for (; tile.rows - row >= 1; row += 1) sum_rows<1>(tile, row);
}

}  // namespace awend::host
#else
namespace awend::host {

bool has_vnni() {
  return false;
}

void sum_vnni(const Int8Tile&) {
  base::check(false, "the processor has VNNI");
}

}  // namespace awend::host
#endif
