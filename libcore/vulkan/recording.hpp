// Work recorded once into command buffers, and replayed as often as needed.
//
// A recording is cut into slices, each submitted by itself, so that no single submission comes near
// a driver's watchdog.  Parts are made of slices; the host can wait for one while later ones run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/dispatch.hpp"

namespace awend::vulkan {

enum class Timing { kOff, kOn };

class Recording {
 public:
  explicit Recording(const Device& device, Timing timing = Timing::kOff);

  /// Appends a dispatch.  Throws Error naming limit and kernel if a binding is larger than the
  /// device allows, or if bindings or push constants disagree with what the shader declares.
  void dispatch(const Dispatch& dispatch);
  /// Appends a copy of equal sizes.
  void copy(const Range& from, const Range& to);
  /// Appends a fill of every 32-bit word.
  void fill(const Range& range, std::uint32_t word);
  /// All that was recorded before is finished and visible to all that comes after.
  void barrier();
  /// Ends a slice, if one is open; a slice ends with a barrier.
  void finish();
  /// What is recorded from here on belongs to the next part.
  void end_part();

  /// Submits all parts in order and waits for the last.
  void replay();
  std::size_t parts() const { return parts_.size(); }
  /// Submits part `part` behind all that was submitted before.  Requires: its last run is over.
  void submit(std::size_t part);
  /// Waits for what submit() began, no longer than `nanoseconds`.  True if it is over.
  bool wait(std::size_t part, std::uint64_t nanoseconds = UINT64_MAX) const;

  /// With Timing::kOn: name and nanoseconds of each dispatch of the last replay.
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
    std::uint32_t query;  // of its pool, the first of two
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
  std::vector<DeviceHandle<VkQueryPool>> queries_;  // one a slice
};

}  // namespace awend::vulkan
