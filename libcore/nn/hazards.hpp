// Where a recording needs a barrier: what was touched since the last one, and what comes next.
#pragma once

#include <span>
#include <vector>

#include "vulkan/kernel.hpp"
#include "vulkan/memory.hpp"

namespace awend::nn {

struct Touched {
  vulkan::Range range;
  bool written;
};

/// What a launch of `kernel` on `ranges`, one for each binding, reads and writes; the counts of
/// binding 0, which only the host writes, are left out.
std::vector<Touched> touched_by(const vulkan::Kernel& kernel,
                                std::span<const vulkan::Range> ranges);

/// Memory touched since the last barrier; a launch that overlaps it in a way that matters needs a
/// barrier first.
class Hazards {
 public:
  bool conflicts(const Touched& wanted) const;
  void add(const Touched& touched) { touched_.push_back(touched); }
  void clear() { touched_.clear(); }

 private:
  std::vector<Touched> touched_;
};

}  // namespace awend::nn
