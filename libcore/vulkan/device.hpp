// The device that a program computes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/device_choice.hpp"
#include "vulkan/device_info.hpp"
#include "vulkan/handle.hpp"
#include "vulkan/instance.hpp"
#include "vulkan/limits.hpp"
#include "vulkan/pace.hpp"

namespace awend::vulkan {

/// One logical device with one compute queue.
class Device {
 public:
  /// A device, or why there is none although the machine seems to have a GPU, as a warning.
  struct Found {
    std::unique_ptr<Device> device;
    std::string caution;
  };
  /// Opens the device named `requested`, or if it is empty, the best GPU, if there is one (see
  /// choose_device) and it can be opened.
  static Found open(const std::string& requested, std::uint32_t turn = 0);
  /// Opens the device at this position of the loader's list.
  explicit Device(std::uint32_t index, Validation validation = Validation::kOff);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice get() const { return device_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkQueue queue() const { return queue_; }
  std::uint32_t queue_family() const { return queue_family_; }
  const DeviceInfo& info() const { return info_; }
  const Limits& limits() const { return limits_; }
  /// How work is submitted, and divided into launches.
  Pace pace() const { return pace_of(info_.type, limits_.heap_bytes); }
  /// The bytes of all arenas of this device.
  std::uint64_t arena_bytes() const { return arena_bytes_; }
  /// Those of memory for kernels that is not in the memory of the device.
  std::uint64_t outside_bytes() const { return outside_bytes_; }
  /// Disables the matrix units for `element`, because their results are wrong.
  void disable_matrix_units(MatrixElement element);
  /// As vulkan::require(); the error about a lost device names it.
  void require(VkResult result, std::string_view call) const;
  const Instance& instance() const { return *instance_; }
  /// For example "llvmpipe (…), CPU, llvmpipe Mesa 22.3.6: the only device".
  std::string description() const;
  /// A warning if the device is a CPU although the machine has a GPU; otherwise empty.
  std::string caution() const;

 private:
  friend class Arena;
  Device(std::unique_ptr<Instance> instance, std::uint32_t index);
  // `devices` may be made from *instance in the call: arguments have no order, so that nothing is
  // moved before this constructor runs.
  Device(std::unique_ptr<Instance>&& instance, const std::vector<DeviceInfo>& devices,
         const Choice& choice);
  void create(std::vector<const char*> extensions);

  std::unique_ptr<Instance> instance_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::uint32_t queue_family_ = 0;
  DeviceInfo info_;
  std::string reason_;
  Limits limits_{};
  mutable std::atomic<std::uint64_t> arena_bytes_{0}, outside_bytes_{0};
};

/// Adds bytes to a sum while it exists.
class ByteCount {
 public:
  ByteCount(std::atomic<std::uint64_t>& sum, std::uint64_t size_bytes);
  ByteCount(ByteCount&& other) noexcept;
  ByteCount& operator=(ByteCount&&) = delete;
  ~ByteCount();

 private:
  std::atomic<std::uint64_t>& sum_;
  std::uint64_t size_bytes_;
};

}  // namespace awend::vulkan
