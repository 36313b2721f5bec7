// A device, its compiled kernels, and the threads of the host that compute in place of kernels;
// shared by all programs of a process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/thread_pool.hpp"
#include "nn/products.hpp"
#include "vulkan/kernel_cache.hpp"

namespace awend::nn {

struct Engine {
  explicit Engine(const std::string& requested_device = "",
                  vulkan::Validation validation = vulkan::Validation::kOff, std::uint32_t turn = 0)
      : device(requested_device, validation, turn), kernels(device) {}

  /// Chooses where the operations of programs that are built from now on are computed; at first, by
  /// kernels.  `threads` is the number of threads of the host; 0: one for each processor.  Throws
  /// Error for kHost if the device is not of type CPU: the host does not share its memory.
  void choose_products(Products products, unsigned threads = 0);
  /// Describes the choice for a person: "products: host, AVX2, 8 threads".
  std::string products_description() const;

  vulkan::Device device;
  vulkan::KernelCache kernels;
  std::unique_ptr<host::ThreadPool> host_threads;  ///< Null: kernels compute everything.
};

}  // namespace awend::nn
