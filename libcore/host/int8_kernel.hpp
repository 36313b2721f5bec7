// The parts of an 8-bit product that are compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/product.hpp"

namespace awend::host {

/// How integers are laid out in memory, and the part of the result that is computed at once.
struct Int8Layout {
  std::size_t tile_rows;
  std::size_t panel_columns;
  std::size_t group;           ///< Inner indices that one instruction multiplies.
  std::size_t value_bytes;     ///< 1: bytes of the left operand have an offset of 128; 2: none.
  std::size_t inner_multiple;  ///< Inner indices are padded with zeros to a multiple.
  std::size_t row_gap_bytes;   ///< Between rows of the left operand.
};
Int8Layout int8_layout();
/// The groups of `inner` indices, padding included.
std::size_t groups_of(const Int8Layout& layout, std::size_t inner);

/// Quantizes `count` numbers to signed integers of `value_bytes`; returns their scale.
float quantize_vector(const float* x, std::size_t count, std::size_t value_bytes, std::byte* out);

/// Quantizes rows [begin, end) of the left operand.
struct QuantizedRows {
  const Product& product;
  float left_scale;  ///< As QuantizedOperand::left_scale().
  std::size_t value_bytes;
  std::size_t stride_bytes;  ///< Of rows: whole groups and the gap.
  std::byte* values;
  float* scales;
};
void quantize_rows(const QuantizedRows& rows, std::size_t begin, std::size_t end);

/// Computes tiles [begin, end) of the result: first all rows of a panel.
struct Int8Tiles {
  const Product& product;
  Int8Layout layout;
  std::size_t groups;
  const std::byte* a;  // of whole tiles
  std::size_t a_stride_bytes;
  const float* a_scales;
  const std::byte* b;
  const float* b_scales;       // of all columns of the panels
  const std::int32_t* starts;  // of all columns of the panels: what a sum starts with
};
void multiply_tiles(const Int8Tiles& tiles, std::size_t begin, std::size_t end);

}  // namespace awend::host
