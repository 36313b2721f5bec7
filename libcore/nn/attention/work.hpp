// How much the kernels of attention compute at most, which bounds the rows of a launch.
// Test: tests/unit/nn/parts_test.cpp.
#pragma once

#include <cstdint>

#include "nn/attention/launches.hpp"
#include "vulkan/pace.hpp"

namespace awend::nn {

struct AttentionWork {
  AttentionDirection direction;
  AttentionShape shape;
  std::uint32_t rows;
  std::uint32_t other_rows;  ///< Of a row, at most.
};

/// The maximum number of other rows of a row: AttentionRanges::longest, if it is known, but not
/// more than there are.
std::uint32_t max_other_rows(const AttentionRanges& ranges, const Count& other_rows);

/// Floating-point operations, at most.
double flops_of(const AttentionWork& work);

/// The rows of a launch, so that it takes no longer than a submission may (nn/parts.hpp).
std::uint32_t part_rows(const AttentionWork& work, const vulkan::Pace& pace);

}  // namespace awend::nn
