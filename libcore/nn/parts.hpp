// The division of an operation by rows into several launches, so that none takes longer than a
// submission may (vulkan/pace.hpp).  Test: tests/unit/nn/parts_test.cpp.
#pragma once

#include <cstdint>
#include <functional>

#include "nn/program.hpp"
#include "vulkan/pace.hpp"

namespace awend::nn {

/// An operation over rows.
struct RowWork {
  std::uint32_t rows;
  double flops;  ///< Of all rows, at most.
};

/// The rows that one launch may process: all, or as many as are expected to take no longer than a
/// submission may: a multiple of 256, or if these take too long, of 64.
std::uint32_t part_rows(const RowWork& work, const vulkan::Pace& pace);

/// Rows from `first` on.
struct RowPart {
  std::uint32_t first;
  Count rows;
  bool is_whole;

  /// These rows of `tensor`.  Requires: as Tensor::from_row().
  Tensor of(const Tensor& tensor) const { return is_whole ? tensor : tensor.from_row(first, rows); }
};

/// Calls `launch` for each `step` rows, in order; once if they are all.
void in_parts(Program& program, const Count& rows, std::uint32_t step,
              const std::function<void(const RowPart&)>& launch);

}  // namespace awend::nn
