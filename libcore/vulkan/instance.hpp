// The Vulkan instance, and the messages of the validation layer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "vulkan/functions.hpp"

namespace awend::vulkan {

enum class Validation { kOff, kOn };

/// The Vulkan instance.  With Validation::kOn or AWEND_VALIDATION=1, every message of the
/// validation layer, including synchronization checks, is counted and printed to stderr.
class Instance {
 public:
  explicit Instance(Validation validation = Validation::kOff);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance get() const { return instance_; }
  std::vector<VkPhysicalDevice> physical_devices() const;
  bool validates() const { return messenger_ != VK_NULL_HANDLE; }
  /// The number of validation messages so far.
  std::uint64_t validation_messages() const { return *messages_; }

 private:
  explicit Instance(std::unique_ptr<std::atomic<std::uint64_t>> messages);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::unique_ptr<std::atomic<std::uint64_t>> messages_;  // layers call from any thread
};

}  // namespace awend::vulkan
