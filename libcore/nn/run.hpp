// A compiled program on a device: what the processor and a Vulkan device do differently.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "vulkan/timing.hpp"

namespace awend::nn {

class Program;

class Run {
 public:
  virtual ~Run() = default;
  /// Checks the launches against the limits of the device; called once, before memory is planned.
  virtual void prepare() = 0;
  /// Records the launches; called once, when all memory is allocated.
  virtual void record(vulkan::Timing timing) = 0;
  /// Writes what depends on the counts to the inputs of the program; before each submit().
  virtual void write_counts() = 0;
  /// Runs all launches; as Program::submit().
  virtual void submit(const std::function<void(std::size_t part)>& submitted) = 0;
  virtual void wait() = 0;
  virtual std::vector<vulkan::Timed> timings() const = 0;
};

/// The host functions of all launches, one after the other.
std::unique_ptr<Run> run_on_processor(const Program& program);
/// The kernels of all launches, in a recording with barriers.
std::unique_ptr<Run> run_on_gpu(Program& program);

}  // namespace awend::nn
