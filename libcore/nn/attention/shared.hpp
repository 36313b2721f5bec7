// Attention with tiles in shared memory, for GPUs without matrix units: launches of
// shaders/op_attention_shared.comp.  Test: tests/kernels/shared_attention_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/attention/launches.hpp"

namespace awend::nn {

/// The rows of a workgroup, 32 or 16, for heads of `shape`; none if the device prefers the kernels
/// for subgroups, or if tiles do not fit its shared memory.
std::optional<std::uint32_t> shared_attention_rows(const Engine& engine,
                                                   const AttentionShape& shape);

/// The same from limits, for a device that prefers shared memory.
std::optional<std::uint32_t> shared_attention_rows(const vulkan::Limits& limits,
                                                   const AttentionShape& shape);

/// With this number of rows in a workgroup: 32 or 16.
AttentionKernels shared_attention_kernels(std::uint32_t rows);

/// The most keys of a query, as max_attended_keys().
std::uint32_t max_shared_attention_keys(const AttentionShape& shape);

}  // namespace awend::nn
