// Comparison of what a program needs with the limits of a device, before memory is allocated or
// commands are recorded.
//
// The LimitError names the kernel, the shape of the tensor, the limit and its value, and the
// settings to reduce.  Test: tests/unit/nn/limits_test.cpp, with constructed limits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/message.hpp"
#include "nn/element.hpp"
#include "vulkan/limits.hpp"

namespace awend::nn {

/// Lavapipe before Mesa 23 silently ends the loops of an invocation after 65 535 iterations in
/// total.
inline constexpr std::uint64_t kMaxIterations = 60'000;

/// Settings that determine the sizes of tensors.
inline constexpr base::Setting kBatchTokens{"the number of tokens in a batch"};
inline constexpr base::Setting kBeamSize{"the beam size"};
inline constexpr base::Setting kModelDimension{"d_model"};
inline constexpr base::Setting kFeedForwardDimension{"d_ff"};
inline constexpr base::Setting kVocabularySize{"the size of the vocabulary"};

/// Those that an error asks to reduce.
using Reducible = std::span<const base::Setting>;
using vulkan::kSmallerBatch;
inline constexpr base::Setting kFewerTokens[] = {kBatchTokens};
inline constexpr base::Setting kSmallerBeam[] = {kBatchTokens, kBeamSize};
inline constexpr base::Setting kSmallerModel[] = {kModelDimension, kFeedForwardDimension,
                                                  kVocabularySize};

/// A tensor, and the kernel that uses it; no kernel for memory of several tensors.
struct Demand {
  std::string_view kernel;
  std::uint32_t rows;
  std::uint32_t columns;
  Reducible reduce = kFewerTokens;
  Element element = Element::kFloat32;

  std::uint64_t bytes() const { return std::uint64_t{rows} * columns * size_bytes(element); }
};

/// Throws LimitError unless the tensor fits in one allocation.
void check_allocation(const vulkan::Limits& limits, const Demand& demand);

/// Throws LimitError unless a kernel can address the whole tensor.
void check_binding(const vulkan::Limits& limits, const Demand& demand);

/// Throws LimitError unless this many workgroups along x and y can be launched.
void check_workgroups(const vulkan::Limits& limits, const Demand& demand,
                      std::array<std::uint32_t, 2> workgroups);

}  // namespace awend::nn
