// Kernels made ready on a driver that compiles at the first dispatch.
//
// Lavapipe does so on the one thread of a device's queue, for seconds at a first start.  A dispatch
// of no workgroups makes it compile and run nothing; a second device in this process is a second
// thread, and what that one compiles reaches the first through Mesa's cache on disk.  Where that is
// switched off the helpers' work is wasted, and the first device compiles all by itself.
#pragma once

#include <span>

#include "vulkan/kernel.hpp"

namespace awend::vulkan {

/// Dispatches `kernels`, which are `keys` made on `device`, with no workgroups.  Where that takes
/// long, further devices take a part of them, one for each further processor.
void compile_by_dispatch(const Device& device, std::span<const KernelKey> keys,
                         std::span<const Kernel* const> kernels);

}  // namespace awend::vulkan
