// Sums of products of bytes with AVX-512 VNNI, which Highway's sets for AVX-512 do not include.
#pragma once

#include <cstddef>
#include <cstdint>

namespace awend::host {

/// One tile of a product of integers: up to `rows` rows and one panel of columns.
struct Int8Tile {
  std::size_t rows;
  std::size_t groups;
  const std::byte* a;
  std::size_t a_stride_bytes;
  const std::byte* b;          // (groups, columns of the panel, group)
  const std::int32_t* starts;  // (columns of the panel)
  std::int32_t* sums;          // (rows, columns of the panel)
};

/// Rows and columns of a tile.
inline constexpr std::size_t kVnniRows = 14;
inline constexpr std::size_t kVnniColumns = 32;

/// Whether this processor has the instructions.
bool has_vnni();
/// Requires: has_vnni(), tile.rows ≤ kVnniRows.
void sum_vnni(const Int8Tile& tile);

}  // namespace awend::host
