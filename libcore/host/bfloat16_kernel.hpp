// The parts of a product of bf16 that use instructions of x86 processors: rounding into the order
// in which products read the operands, and sums of tiles.
//
// Packed rows of the left operand have the inner index in order, padded with zeros to a multiple of
// kBfloat16Step.  The right operand is packed in panels of kBfloat16Columns columns, each in the
// order (pairs of the inner index, columns, pair).
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/amx.hpp"
#include "host/product.hpp"

namespace awend::host {

/// Rows and columns of a tile, and the inner indices of one step of a sum.
inline constexpr std::size_t kBfloat16Rows = 2 * kAmxRows, kBfloat16Columns = 2 * kAmxColumns;
inline constexpr std::size_t kBfloat16Step = kAmxRowBytes / sizeof(std::uint16_t);

/// Whether the processor has AVX-512 BF16, which the functions below need.
bool has_avx512_bfloat16();

/// An inner dimension with its padding.
constexpr std::size_t padded_inner(std::size_t inner) {
  return (inner + kBfloat16Step - 1) / kBfloat16Step * kBfloat16Step;
}

/// Rows or columns [begin, end) of an operand, whole tiles; those from `count` on are zero.
struct Vectors {
  std::size_t begin, end;
  std::size_t count;
  std::size_t inner;
};
/// Rounds rows or columns to their places in a packed operand.
void pack_rows(const Operand& a, const Vectors& rows, std::uint16_t* packed);
void pack_columns(const Operand& b, const Vectors& columns, std::uint16_t* packed);

/// A tile of a product: sums (kBfloat16Rows, kBfloat16Columns) of packed operands.
struct Bfloat16Tile {
  std::size_t steps;  // of kBfloat16Step
  const std::uint16_t* a;
  const std::uint16_t* b;
  float* sums;
};
/// Requires: has_amx_bfloat16(), AmxRegisters of this thread.
void sum_amx(const Bfloat16Tile& tile);
/// Computes the first `rows` rows.
void sum_avx512(const Bfloat16Tile& tile, std::size_t rows);

/// Writes a tile's sums to the result: adds the start, and finishes.
struct TilePlace {
  std::size_t row, rows;
  std::size_t column, columns;
};
void write_tile(const Product& product, const TilePlace& place, const float* sums);

}  // namespace awend::host
