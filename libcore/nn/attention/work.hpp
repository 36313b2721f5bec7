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
  std::uint32_t partners;  ///< Of a row, at most.
};

/// The most partners of a row: AttentionRanges::longest, if it is known, but not more than there
/// are.
std::uint32_t most_partners(const AttentionRanges& ranges, const Count& partners);

/// Floating-point operations, at most.
double flops_of(const AttentionWork& work);

/// The rows of a launch, so that it takes no longer than a submission may (nn/parts.hpp).
std::uint32_t part_rows(const AttentionWork& work, const vulkan::Pace& pace);

}  // namespace awend::nn
