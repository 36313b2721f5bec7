// The Vulkan device of an engine and its compiled kernels.
#pragma once

#include <memory>
#include <utility>

#include "vulkan/kernel_cache.hpp"

namespace awend::nn {

struct Gpu {
  explicit Gpu(std::unique_ptr<vulkan::Device> opened)
      : owned(std::move(opened)), device(*owned), kernels(device) {}

  std::unique_ptr<vulkan::Device> owned;
  vulkan::Device& device;
  vulkan::KernelCache kernels;
};

}  // namespace awend::nn
