// Matrix products on matrix units: launches of shaders/op_matmul_matrix.comp.
// Test: tests/kernels/matrix_matmul_test.cpp and tests/unit/nn/matrix_cut_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/matmul/product.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// A workgroup computes a tile, each of its subgroups a part of it.  Shared memory holds `depth`
/// steps of the sum at a time.
struct MatrixTile {
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t depth;
  std::uint32_t part_rows;
  std::uint32_t part_columns;
};

/// c is (rows, columns).
struct ProductSize {
  Form form;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t shareable_depth = 0;  ///< Steps of the sum if it may be split, otherwise 0.
};

/// How a product is divided into workgroups.  If its tiles are too few for the device, the sum is
/// split into shares too; each has its own c, and these are added.
struct MatrixCut {
  MatrixTile tile;
  vulkan::MatrixShape fragment;
  std::uint32_t shares = 1;  ///< More than 1 only for a form TN that accumulates.
  bool transposes = false;   ///< Tiles are transposed on their way to shared memory.
};

/// All cuts for matrices of `element` on a device, from large to small tiles; none if it has no
/// matrix units for them.
std::vector<MatrixCut> matrix_cuts(const vulkan::Limits& limits, vulkan::MatrixElement element,
                                   Form form);

/// The best of them, if any.
std::optional<MatrixCut> matrix_cut(const vulkan::Limits& limits, vulkan::MatrixElement element,
                                    const ProductSize& size);

/// Whether matrix_matmul can compute `product`: operands of 16 bits, a device with matrix units for
/// them, inner and columns multiples of 8.
bool matrix_matmul_fits(const Engine& engine, const Product& product);

/// As matmul().  Requires: matrix_matmul_fits.
void matrix_matmul(Program& program, const Product& product);

/// The same, with a given cut.
void matrix_matmul(Program& program, const MatrixCut& cut, const Product& product);

}  // namespace awend::nn
