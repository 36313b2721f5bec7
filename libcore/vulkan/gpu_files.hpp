// Whether a machine has a GPU, found without loading a driver: loading lavapipe takes more time
// than the translation of a short line.
// Test: tests/unit/vulkan/gpu_files_test.cpp, tests/cli/devices.sh.
#pragma once

#include <span>
#include <string>

namespace awend::vulkan {

/// Whether one of the names in /dev or /dev/dri is that of a GPU.
bool has_gpu_file(std::span<const std::string> names);

/// Whether it is worth asking the Vulkan loader for GPUs: there is the device file of one, or a
/// variable that the loader reads is set, or the machine is not a Linux, on which alone these files
/// are known.
bool may_have_gpu();

/// A warning if the kernel has a driver for a GPU, although none was found; otherwise empty.
std::string caution_about_gpu_files();

}  // namespace awend::vulkan
