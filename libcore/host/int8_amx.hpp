// Sums of products of bytes with AMX, the same as with VNNI (int8_vnni.hpp).
#pragma once

#include "host/amx.hpp"
#include "host/int8_vnni.hpp"

namespace awend::host {

/// Rows of a tile, and the multiple of which it has groups.
inline constexpr std::size_t kInt8AmxRows = 2 * kAmxRows;
inline constexpr std::size_t kInt8AmxGroups = kAmxRowBytes / 4;
/// With fewer rows, the registers are mostly empty, and VNNI is faster.
inline constexpr std::size_t kMinInt8AmxRows = 4;

/// Requires: has_amx_int8(), AmxRegisters of this thread; tile.rows ≤ kInt8AmxRows, tile.groups is
/// a multiple of kInt8AmxGroups.  Reads the left operand, and writes the sums, of whole registers:
/// 16 or 32 rows.
void sum_amx(const Int8Tile& tile);

}  // namespace awend::host
