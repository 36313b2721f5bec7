// Devices: which there are, which one is taken and why, and what it must be able to do.
//
// The order of preference is discrete GPU, integrated GPU, virtual GPU, CPU.  A choice by text is
// an index ("0"), a UUID in hexadecimal, or a part of the name ("llvmpipe"), letter case aside.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shaders/embedded.hpp"
#include "vulkan/functions.hpp"
#include "vulkan/handle.hpp"
#include "vulkan/matrix_units.hpp"

namespace awend::vulkan {

/// What a physical device says of itself, and what it lacks for awend.
struct DeviceInfo {
  std::uint32_t index = 0;  ///< Position in the loader's list.
  std::string name;         ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;       ///< "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
  std::string uuid;         ///< 32 hexadecimal digits
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  std::vector<std::string>
      missing;  ///< Required features that are absent, by name; empty if usable.
  std::vector<std::string> present = {};  ///< Those that are there.
};

/// "00ff1a" of {0, 255, 26}.
std::string hexadecimal(std::span<const std::uint8_t> bytes);

/// "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other device".
std::string type_name(VkPhysicalDeviceType type);

/// The position in `devices` to use for `wanted` (empty: the best), and the reason in words.
/// Processes that share the best kind have a `turn` each and take its devices one after the other.
/// Throws Error if none fits, naming what there is and what each lacks.
struct Choice {
  std::size_t position;
  std::string reason;
};
Choice choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted,
                     std::uint32_t turn = 0);

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

/// All devices of this machine, usable or not.  Throws Error with a sentence that says how to get
/// one if there is none.
std::vector<DeviceInfo> list_devices(const Instance& instance);

/// Limits that kernels and plans must keep.
struct Limits {
  std::uint64_t storage_range_bytes;  ///< Largest range one binding may see.
  std::uint64_t texel_range_bytes;    ///< The same for texel buffers, see texel_view_bytes().
  std::uint64_t allocation_bytes;     ///< Largest single allocation, at most 1 GiB.
  std::uint32_t storage_alignment;    ///< Of offsets of bindings.
  std::uint32_t subgroup_size;  ///< Lanes of a subgroup: 8 on lavapipe, 32 on NVIDIA, 64 on AMD.
  bool subgroup_size_fixed;     ///< Pipelines can require exactly that size.
  std::array<std::uint32_t, 3> workgroup_counts;  ///< Most workgroups along x, y and z.
  std::uint32_t workgroup_threads;                ///< Most threads of one workgroup.
  std::uint32_t shared_bytes;                     ///< Memory that they share.
  std::uint32_t push_constant_bytes;
  shaders::Buffers buffers;    ///< How kernels reach tensors fastest on this driver.
  double timestamp_period_ns;  ///< 0 if the queue has no timestamps.
  std::uint64_t heap_bytes;    ///< Largest device-local heap; of a CPU, the machine's memory.
  bool compiles_at_dispatch;   ///< Pipelines become machine code when first dispatched: lavapipe.
  bool on_cpu;                 ///< A CPU; its matrix units are emulated.
  std::vector<MatrixShape> matrix_shapes;  ///< Empty: no matrix units, or not wanted.
};

/// One logical device with one compute queue.
class Device {
 public:
  /// Opens the device that `wanted` names (see choose_device).
  explicit Device(const std::string& wanted = "", Validation validation = Validation::kOff,
                  std::uint32_t turn = 0);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice get() const { return device_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkQueue queue() const { return queue_; }
  std::uint32_t queue_family() const { return queue_family_; }
  const DeviceInfo& info() const { return info_; }
  const Limits& limits() const { return limits_; }
  /// Bytes that all arenas take together; they keep the sum.
  std::atomic<std::uint64_t>& arena_bytes() const { return arena_bytes_; }
  /// As if the device had none for `element`; for those that turn out wrong.
  void leave_out_matrix_units(MatrixElement element);
  const Instance& instance() const { return *instance_; }
  /// One line for stderr: "llvmpipe (…), CPU: the only device".
  std::string description() const;
  /// What the user should know before waiting for a CPU where the machine has a GPU; empty if
  /// nothing.
  std::string caution() const;

 private:
  void read_limits();

  std::unique_ptr<Instance> instance_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::uint32_t queue_family_ = 0;
  DeviceInfo info_;
  std::string reason_;
  Limits limits_{};
  mutable std::atomic<std::uint64_t> arena_bytes_{0};
};

}  // namespace awend::vulkan
