// What computes the programs of a process: the processor, or a Vulkan device.
//
// The processor is a device of its own, "cpu": its tensors are plain memory, and the functions of
// module host compute every operation in fp32; with the operands of products in bf16 if it has
// instructions for that.  It needs no Vulkan loader.
// Test: tests/kernels/processor_test.cpp, tests/cli/devices.sh.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "nn/element.hpp"
#include "vulkan/limits.hpp"
#include "vulkan/pace.hpp"

namespace awend::host {
class ThreadPool;
}

namespace awend::nn {

/// The name of the processor as a device.
inline constexpr const char* kProcessor = "cpu";

struct DeviceChoice {
  std::string requested = {};  ///< "cpu" or a Vulkan device; empty: the best GPU, or the processor.
  unsigned threads = 0;        ///< Of the processor; 0: one for each core.
  std::uint32_t turn = 0;      ///< Processes with different ones get different GPUs.
};

/// Why the processor is the device, for messages.
std::string_view reason_for_processor(std::string_view requested);

struct Gpu;  // nn/gpu.hpp

class Engine {
 public:
  /// Throws Error if the requested device does not exist or cannot be used (see
  /// vulkan::choose_device).
  explicit Engine(const DeviceChoice& choice = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Whether the processor computes, not a Vulkan device.
  bool on_processor() const { return gpu_ == nullptr; }
  /// For the processor, those of its memory; nothing else limits it.
  const vulkan::Limits& limits() const;
  /// Whether the device computes products of operands of this element type.
  bool computes(Element operands) const;
  /// Throws Error unless computes(operands).
  void require(Element operands) const;
  /// How work is submitted, and divided into launches.
  vulkan::Pace pace() const;
  /// "cpu", or the name of the Vulkan device.
  std::string name() const;
  /// "cpu", or the UUID of the Vulkan device.
  std::string id() const;
  /// For example "cpu, AVX-512, 4 threads: no GPU was found".
  std::string description() const;
  /// A warning if the choice is most likely not what the user wants; otherwise empty.
  std::string caution() const;
  /// The bytes of all memory of the device that exists now.
  std::uint64_t allocated_bytes() const;
  /// The memory that a program may use in total.
  std::uint64_t usable_bytes() const;
  /// A warning if memory of a GPU is used up or not on the GPU; otherwise empty.
  std::string caution_about_memory() const;

  /// How many programs can compute at the same time: on the processor one on each thread.
  unsigned concurrency() const;
  /// The threads that share the work.  Requires: on_processor().
  host::ThreadPool& threads() const;
  /// Requires: not on_processor().
  Gpu& gpu() const;

 private:
  friend class Memory;
  std::string reason_, caution_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<host::ThreadPool> threads_;
  vulkan::Limits limits_{};  // of the processor
  std::atomic<std::uint64_t> allocated_bytes_{0};
};

}  // namespace awend::nn
