#include "host/int8_amx.hpp"

#include "base/error.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace awend::host {
namespace {

constexpr int kGroupStride = 4 * kVnniColumns;  // bytes between groups of the right operand
constexpr int kSumStride = sizeof(std::int32_t) * kVnniColumns;
constexpr std::size_t kStepBytes = kInt8AmxGroups * kGroupStride;

[[gnu::target("amx-tile,amx-int8")]] void sum_16_rows(const Int8Tile& tile) {
  const auto stride = static_cast<long>(tile.a_stride_bytes);
  const std::byte* a = tile.a;
  const std::byte* b = tile.b;
  _tile_loadd(0, tile.starts, 0);
  _tile_loadd(1, tile.starts + kAmxColumns, 0);
  for (std::size_t group = 0; group < tile.groups; group += kInt8AmxGroups) {
    _tile_loadd(4, a, stride);
    _tile_loadd(6, b, kGroupStride);
    _tile_loadd(7, b + kAmxRowBytes, kGroupStride);
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    a += kAmxRowBytes;
    b += kStepBytes;
  }
  _tile_stored(0, tile.sums, kSumStride);
  _tile_stored(1, tile.sums + kAmxColumns, kSumStride);
}

[[gnu::target("amx-tile,amx-int8")]] void sum_32_rows(const Int8Tile& tile) {
  const auto stride = static_cast<long>(tile.a_stride_bytes);
  const std::byte* a = tile.a;
  const std::byte* const next_rows = tile.a + kAmxRows * tile.a_stride_bytes;
  const std::byte* b = tile.b;
  _tile_loadd(0, tile.starts, 0);
  _tile_loadd(1, tile.starts + kAmxColumns, 0);
  _tile_loadd(2, tile.starts, 0);
  _tile_loadd(3, tile.starts + kAmxColumns, 0);
  for (std::size_t group = 0; group < tile.groups; group += kInt8AmxGroups) {
    _tile_loadd(6, b, kGroupStride);
    _tile_loadd(4, a, stride);
    _tile_dpbusd(0, 4, 6);
    _tile_loadd(7, b + kAmxRowBytes, kGroupStride);
    _tile_dpbusd(1, 4, 7);
    _tile_loadd(5, next_rows + (a - tile.a), stride);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
    a += kAmxRowBytes;
    b += kStepBytes;
  }
  std::int32_t* const next_sums = tile.sums + kAmxRows * kVnniColumns;
  _tile_stored(0, tile.sums, kSumStride);
  _tile_stored(1, tile.sums + kAmxColumns, kSumStride);
  _tile_stored(2, next_sums, kSumStride);
  _tile_stored(3, next_sums + kAmxColumns, kSumStride);
}

}  // namespace

void sum_amx(const Int8Tile& tile) {
  // The compiler does not know that the instructions read and write memory.
  asm volatile("" ::: "memory");
  tile.rows <= kAmxRows ? sum_16_rows(tile) : sum_32_rows(tile);
  asm volatile("" ::: "memory");
}

}  // namespace awend::host
#else
namespace awend::host {

void sum_amx(const Int8Tile&) {
  base::check(false, "the processor has AMX");
}

}  // namespace awend::host
#endif
