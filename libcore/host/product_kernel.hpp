// The part of a product that is compiled for each instruction set: packing, and one thread's block.
#pragma once

#include <cstddef>

#include "host/product.hpp"

namespace awend::host {

/// Rows and columns of a product that one thread computes.
struct Block {
  std::size_t first_row;
  std::size_t rows;
  std::size_t first_column;  // a multiple of panel_columns()
  std::size_t columns;
};

/// Columns of the result that the innermost loop computes at once, and the rows of one tile.
struct TileShape {
  std::size_t rows;
  std::size_t columns;
};
TileShape tile_shape();

/// Floats of a packed operand: its columns rounded up to whole panels.
std::size_t packed_floats(std::size_t inner, std::size_t columns);
/// Packs all of `b` (inner, columns).
void pack(const Operand& b, std::size_t inner, std::size_t columns, float* packed);

/// Floats of scratch memory that multiply_block() needs, aligned to 64 bytes.
std::size_t scratch_floats();
/// `packed` may be null.
void multiply_block(const Product& product, const Block& block, const float* packed,
                    float* scratch);

}  // namespace awend::host
