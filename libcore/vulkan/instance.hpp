// The Vulkan instance, and the messages of the validation layer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vulkan/functions.hpp"

namespace awend::vulkan {

enum class Validation { kOff, kOn };

/// The Vulkan instance.  With Validation::kOn every message of the validation layer,
/// synchronisation checks included, is counted and printed to stderr (AWEND_VALIDATION=1 turns it
/// on for any tool).
class Instance {
 public:
  explicit Instance(Validation validation = Validation::kOff);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance get() const { return instance_; }
  std::vector<VkPhysicalDevice> physical_devices() const;
  bool validates() const { return messenger_ != VK_NULL_HANDLE; }
  /// How many validation messages have come so far.
  std::uint64_t validation_messages() const { return *messages_; }

 private:
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::unique_ptr<std::uint64_t> messages_;
};

}  // namespace awend::vulkan
