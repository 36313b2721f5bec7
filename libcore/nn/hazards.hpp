// Where a recording needs a barrier: memory accessed since the last barrier, and the next accesses.
//
// Test: tests/unit/nn/hazards_test.cpp; with all kernels under the validation layer, tests/kernels.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "vulkan/range.hpp"
#include "vulkan/spirv.hpp"

namespace awend::nn {

/// A memory access of a launch.
struct Access {
  vulkan::Range range;
  bool written;  ///< True if the launch writes to the range, whether or not it reads from it too.
};

/// The accesses of a launch on `ranges`, one for each binding of the kernel in ascending order.
/// Binding 0 is omitted: it holds the counts, which only the host writes.
std::vector<Access> accesses_of(const std::map<std::uint32_t, vulkan::Binding>& bindings,
                                std::span<const vulkan::Range> ranges);

/// The accesses since the last barrier.
class Hazards {
 public:
  /// Whether `next` needs a barrier first: it overlaps an access since the last one, and at least
  /// one of the two writes.
  bool conflicts(const Access& next) const;
  void add(const Access& access) { accesses_.push_back(access); }
  /// Forgets all accesses, after a barrier.
  void clear() { accesses_.clear(); }

 private:
  std::vector<Access> accesses_;
};

}  // namespace awend::nn
