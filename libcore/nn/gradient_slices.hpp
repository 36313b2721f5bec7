// The gradients of all parameters as slices that reach the host one after the other, while the
// backward pass that makes the later ones still runs; and that go back from there to the device.
//
// The backward pass finishes the gradients of the last layers first.  The program is cut where a
// good share of the gradients has been written for the last time, and each share is copied to host
// memory there.  Test: tests/kernels/gradient_slices_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nn/parameters.hpp"

namespace awend::nn {

struct SliceSettings {
  std::uint64_t most = 8;             ///< Slices.
  std::uint64_t least_floats = 4096;  ///< In one; a message of less is hardly sooner there.
};

class GradientSlices {
 public:
  /// Cuts `program`, which has all its launches and is not compiled.  Both outlive the object.
  GradientSlices(Program& program, const Parameters& parameters,
                 const SliceSettings& settings = {});

  std::size_t size() const { return slices_.size(); }
  /// Runs the program once, and copies each slice to the host when it is done.  Returns at once.
  void replay();
  /// Copies the gradients as they are, without a run of the program.
  void fetch();
  /// Waits for slice `i`, no longer than `nanoseconds`.  True if it has arrived.
  bool arrived(std::size_t i, std::uint64_t nanoseconds) const;
  /// The slice on the host.  Valid from its arrival on, and the next replay() or fetch() ends it.
  std::span<float> values(std::size_t i) const { return slices_[i].stage.view<float>(); }
  /// Copies values(i) to the gradients on the device, before all work that is submitted later.
  void put_back(std::size_t i) { slices_[i].upload->submit(0); }

  /// Bytes of host memory.
  std::uint64_t staged_bytes() const { return staging_->size_bytes(); }

 private:
  struct Slice {
    std::vector<FlatRange> ranges;  // ascending, none touches the next
    std::uint64_t floats;
    vulkan::Range stage = {};
    std::unique_ptr<vulkan::Recording> download = {}, upload = {};
  };
  void record(const Parameters& parameters);

  Program& program_;
  std::vector<Slice> slices_;
  std::unique_ptr<vulkan::Arena> staging_;
};

}  // namespace awend::nn
