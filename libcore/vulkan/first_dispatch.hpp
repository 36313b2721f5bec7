// Compilation of kernels on a driver that compiles at the first dispatch.
//
// Lavapipe compiles on the single thread of a device's queue, which takes seconds at a first start.
// A dispatch of zero workgroups only compiles.  A second device in this process has a second
// thread, and the first device gets its results through Mesa's cache on disk.  If that is disabled,
// the work of the helpers is wasted, and the first device compiles everything.
#pragma once

#include <span>

#include "vulkan/kernel.hpp"

namespace awend::vulkan {

/// Dispatches `kernels`, which are `keys` on `device`, with zero workgroups.  If that takes long,
/// additional devices, one for each additional processor, compile some of them.
void compile_by_dispatch(const Device& device, std::span<const KernelKey> keys,
                         std::span<const Kernel* const> kernels);

}  // namespace awend::vulkan
