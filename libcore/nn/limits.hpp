// What a program asks of a device, held against the device's limits before memory is taken or
// anything is recorded.
//
// A refusal names the kernel, the tensor's shape, the limit and its value, and the option that
// lowers the demand.  Test: tests/unit/nn/limits_test.cpp, on limits made by hand.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "nn/element.hpp"
#include "vulkan/device.hpp"

namespace awend::nn {

/// Lavapipe before Mesa 23 ends an invocation's loops in silence after 65 535 rounds in total.
inline constexpr std::uint64_t kMaxIterations = 60'000;

/// Options that lower what a tensor needs, as an error names them.
inline constexpr std::string_view kFewerTokens = "--batch-tokens";
inline constexpr std::string_view kSmallerBeam = "--batch-tokens or --beam-size";
inline constexpr std::string_view kSmallerModel = "--d-model, --d-ff or vocabulary";

/// A tensor, and the kernel that asks for it; no kernel for memory that serves many.
struct Demand {
  std::string_view kernel;
  std::uint32_t rows;
  std::uint32_t columns;
  std::string_view smaller = kFewerTokens;
  Element element = Element::kFloat32;

  std::uint64_t bytes() const { return std::uint64_t{rows} * columns * size_bytes(element); }
};

/// Throws Error unless the tensor fits one allocation.
void check_allocation(const vulkan::Limits& limits, const Demand& demand);

enum class Descriptor { kStorage, kTexels };
/// Throws Error unless a kernel can see the whole tensor.
void check_binding(const vulkan::Limits& limits, const Demand& demand, Descriptor descriptor);

/// Throws Error unless so many workgroups along x and y can be launched over the tensor.
void check_workgroups(const vulkan::Limits& limits, const Demand& demand,
                      std::array<std::uint32_t, 2> workgroups);

}  // namespace awend::nn
