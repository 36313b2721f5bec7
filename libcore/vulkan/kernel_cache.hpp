// The kernels of one device, each compiled once.
//
// Compiling them takes most of the time of a first start.  Drivers of GPUs compile when a pipeline
// is created, so pipelines are created on all processors, and stored in a file
// (pipeline_cache.hpp). Lavapipe compiles on its queue, at the first dispatch: see
// first_dispatch.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "vulkan/kernel.hpp"
#include "vulkan/pipeline_cache.hpp"

namespace awend::vulkan {

class KernelCache {
 public:
  explicit KernelCache(const Device& device) : device_(device), pipelines_(device) {}

  /// Compiles all missing `keys`, so that they can be dispatched without delay.
  void prepare(std::vector<KernelKey> keys);
  /// Compiles the kernel if it was not prepared.
  const Kernel& get(std::string_view name, std::span<const std::uint32_t> constants);
  /// All that have been compiled.
  const std::map<KernelKey, Kernel>& kernels() const { return kernels_; }

 private:
  const Device& device_;
  PipelineCache pipelines_;
  std::map<KernelKey, Kernel> kernels_;
};

}  // namespace awend::vulkan
