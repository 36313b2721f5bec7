// The gradients of all parameters in slices, which are copied to the host one after the other while
// the backward pass still computes the later ones, and copied back to the device.
//
// The backward pass finishes the gradients of the last layers first.  The program is divided into
// parts; each part finishes a slice, which is then copied to host memory.  Test:
// tests/kernels/gradient_slices_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nn/parameters.hpp"

namespace awend::nn {

struct SliceSettings {
  std::uint64_t max_slices = 8;
  std::uint64_t min_floats = 4096;  ///< In one slice; smaller messages are hardly faster.
};

class GradientSlices {
 public:
  /// Divides `program`, which has all its launches and is not compiled.  Both must outlive the
  /// object.
  GradientSlices(Program& program, const Parameters& parameters,
                 const SliceSettings& settings = {});

  std::size_t size() const { return slices_.size(); }
  /// Starts the program, and copies each slice to the host when it is finished.  Does not wait.
  void replay();
  /// Starts to copy the gradients to the host without running the program.
  void fetch();
  /// Waits for slice `i`, no longer than `nanoseconds`.  True if it has arrived.
  bool arrived(std::size_t i, std::uint64_t nanoseconds) const;
  /// The slice on the host.  Valid from its arrival until the next replay() or fetch().
  std::span<float> values(std::size_t i) const { return slices_[i].stage.view<float>(); }
  /// Copies values(i) to the gradients on the device, before any work that is submitted later.
  void put_back(std::size_t i);

 private:
  struct Slice {
    std::vector<FlatRange> ranges;  // ascending, not adjacent
    std::uint64_t floats;
    vulkan::Range stage = {};
    std::unique_ptr<Transfer> download = {}, upload = {};
  };
  void record(const Parameters& parameters);

  Program& program_;
  std::vector<Slice> slices_;
  std::unique_ptr<Memory> staging_;
};

}  // namespace awend::nn
