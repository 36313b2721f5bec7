// Work recorded once into command buffers, and replayed as often as needed.
//
// A recording is divided into slices, which are submitted separately, so that each stays far below
// the time limit of a driver's watchdog.  A part consists of slices; the host can wait for one
// while later ones run.  Test: tests/kernels/recording_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/dispatch.hpp"

namespace awend::vulkan {

enum class Timing { kOff, kOn };

/// The ticks from one timestamp to a later one, of which only the low `valid_bits` are defined;
/// they may have wrapped around once.
std::uint64_t ticks_between(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits);

class Recording {
 public:
  explicit Recording(const Device& device, Timing timing = Timing::kOff);

  /// Appends a dispatch.  Throws Error with limit and kernel if a binding is larger than the device
  /// allows, std::logic_error if bindings or push constants do not match the shader.
  void dispatch(const Dispatch& dispatch);
  /// Appends a copy of equal sizes.
  void copy(const Range& from, const Range& to);
  /// Appends a command that sets every 32-bit word.
  void fill(const Range& range, std::uint32_t word);
  /// Commands after the barrier wait for those before it, and see their writes.
  void barrier();
  /// Ends the open slice, if any, with a barrier.
  void finish();
  /// Ends a part; later commands belong to the next one.
  void end_part();

  /// Submits all parts in order and waits for the last.
  void replay();
  std::size_t parts() const { return parts_.size(); }
  /// Submits part `part`, to run after earlier submissions.  Requires: it is not running.
  void submit(std::size_t part);
  /// Waits until a submitted part is finished, at most `nanoseconds`.  Returns whether it is.
  bool wait(std::size_t part, std::uint64_t nanoseconds = UINT64_MAX) const;

  /// With Timing::kOn: kernel and duration of each dispatch of the last replay.
  struct Timed {
    std::string kernel;
    double nanoseconds;
  };
  std::vector<Timed> timings() const;

 private:
  struct Part {
    std::size_t first_slice = 0;
    DeviceHandle<VkFence> fence;
  };
  struct Stamped {
    std::string kernel;
    std::size_t slice;
    std::uint32_t query;  // the first of two in its pool
  };
  Part make_part() const;
  VkCommandBuffer commands();

  const Device& device_;
  Timing timing_;
  DeviceHandle<VkCommandPool> command_pool_;
  DescriptorSets sets_;
  std::vector<VkCommandBuffer> slices_;
  std::vector<Part> parts_;
  bool open_ = false;
  std::uint32_t in_slice_ = 0;
  std::vector<Stamped> stamped_;
  std::vector<DeviceHandle<VkQueryPool>> queries_;  // one for each slice
};

}  // namespace awend::vulkan
