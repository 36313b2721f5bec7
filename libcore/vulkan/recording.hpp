// Work recorded once into command buffers, and replayed as often as needed.
//
// A recording is divided into slices, and several of them are submitted together, so that each
// submission stays far below the time limit of a driver's watchdog (vulkan/pace.hpp).  A part
// consists of slices; the host can wait for one while later ones run.
// Test: tests/kernels/recording_test.cpp, tests/kernels/pace_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vulkan/dispatch.hpp"
#include "vulkan/pace.hpp"
#include "vulkan/timing.hpp"

namespace awend::vulkan {

/// The ticks from one timestamp to a later one, of which only the low `valid_bits` are defined;
/// they may have wrapped around once.
std::uint64_t ticks_between(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits);

class Recording {
 public:
  explicit Recording(const Device& device, Timing timing = Timing::kOff);
  Recording(const Device& device, Timing timing, const Pace& pace);
  /// Waits until the device has finished what was submitted: after an exception it still runs,
  /// and uses the recording and the memory that its caller frees next.
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Appends a dispatch.  Throws Error with limit and kernel if a binding is larger than the device
  /// allows, std::logic_error if bindings or push constants do not match the shader.
  void dispatch(const Dispatch& dispatch);
  /// Appends a copy of equal sizes.
  void copy(const Range& from, const Range& to);
  /// Appends a command that sets every 32-bit word.
  void fill(const Range& range, std::uint32_t word);
  /// Commands after the barrier wait for those before it, and see their writes.  Slices end here.
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
  bool wait(std::size_t part, std::uint64_t nanoseconds = UINT64_MAX);

  /// Whether the duration of submissions is bounded, so that set_shares() is worth its time.
  bool is_paced() const { return pace_.is_bounded(); }
  /// The part of its work that each dispatch does in the next replays, in the order of recording;
  /// at first 1.
  void set_shares(std::span<const double> shares);
  /// The number of submissions since the recording was made.
  std::uint64_t submissions() const { return submissions_; }
  /// The expected durations of the slices, in seconds.
  std::vector<double> expected_seconds() const;

  /// With Timing::kOn: kernel and duration of each dispatch of the last replay.
  std::vector<Timed> timings() const;

 private:
  // The first timestamps of a slice: its begin and end.
  static constexpr std::uint32_t kSliceStamps = 2;
  using Clock = std::chrono::steady_clock;
  struct Part {
    std::size_t first_slice = 0;
    DeviceHandle<VkFence> fence;
    std::optional<Clock::time_point> submitted = std::nullopt;  // until it is measured
  };
  struct Slice {
    VkCommandBuffer commands;
    DeviceHandle<VkQueryPool> stamps;  // of the slice, then of its dispatches; only if used
    double seconds = 0;                // estimated for all its work
    double transfers = 0;              // of these, of copies and fills
    double expected = 0;               // for the shares of the next replay, not corrected
    double correction = 1;             // by measurements
  };
  struct Estimate {
    std::size_t slice;
    double seconds;
  };
  struct Stamped {
    std::string kernel;
    std::size_t slice;
    std::uint32_t query;  // the first of two in its pool
  };
  Part make_part() const;
  VkCommandBuffer commands(double seconds);
  VkCommandBuffer transfer_commands(double bytes);
  void add_barrier(VkPipelineStageFlags2 later);
  void begin_command(VkPipelineStageFlags2 stage);
  void make_stamps(Slice& slice) const;
  void stamp(std::uint32_t query);
  void add_transfer(double seconds);
  void add_dispatch(double seconds);
  std::size_t end_of(std::size_t part) const;
  void measure(std::size_t part);
  std::optional<double> measured_seconds(const Slice& slice) const;

  const Device& device_;
  Timing timing_;
  Pace pace_;
  DeviceHandle<VkCommandPool> command_pool_;
  DescriptorSets sets_;
  std::vector<Slice> slices_;
  std::vector<Estimate> estimates_;  // of dispatches
  std::vector<Part> parts_;
  bool open_ = false;
  VkPipelineStageFlags2 used_ = 0;   // stages of the commands of the slice
  VkPipelineStageFlags2 waits_ = 0;  // stages whose next command waits for all before barrier()
  std::uint32_t in_slice_ = 0;
  std::vector<Stamped> stamped_;
  bool running_ = false;  // submitted, and not waited for
  std::uint64_t submissions_ = 0;
};

}  // namespace awend::vulkan
