#include "vulkan/gpu_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

// In /dev/dri: all drivers of the Linux kernel with a DRM interface.  In /dev: those of NVIDIA and
// its Tegra, Windows (WSL), Arm, Qualcomm, Imagination and Vivante without one.
constexpr std::string_view kPrefixes[] = {"renderD", "card", "nvidia", "nvhost",   "nvgpu",
                                          "dxg",     "mali", "kgsl",   "pvr_sync", "galcore"};

// Of the loader: drivers and layers besides the installed ones.
constexpr const char* kVariables[] = {"VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES", "VK_ICD_FILENAMES",
                                      "VK_INSTANCE_LAYERS", "VK_LOADER_LAYERS_ENABLE"};

std::vector<std::string> names_in(const char* directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

bool has_gpu_file(std::span<const std::string> names) {
  return std::ranges::any_of(names, [](const std::string& name) {
    return std::ranges::any_of(kPrefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
  });
}

bool may_have_gpu() {
#ifdef __linux__
  const auto is_set = [](const char* variable) { return std::getenv(variable) != nullptr; };
  return std::ranges::any_of(kVariables, is_set) || has_gpu_file(names_in("/dev")) ||
         has_gpu_file(names_in("/dev/dri"));
#else
  return true;
#endif
}

std::string caution_about_gpu_files() {
  // Device files of the kernel drivers of NVIDIA and AMD; the Vulkan driver is a separate package.
  for (const char* file : {"/dev/nvidia0", "/dev/kfd"}) {
    if (std::filesystem::exists(file)) {
      return base::concat("computing on the CPU although ", file,
                          " exists: its Vulkan driver is missing (in a container: "
                          "NVIDIA_DRIVER_CAPABILITIES=all, libxext6, libegl1)");
    }
  }
  return "";
}

}  // namespace awend::vulkan
