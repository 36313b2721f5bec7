#include "vulkan/functions.hpp"

#include <dlfcn.h>

#include <volk.c>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

void* open_loader() {
  try {
    return open_library(kLoaderLibrary);
  } catch (const base::Error& error) {
    base::fail("Vulkan's loader cannot be loaded: ", error.what(),
               "; install it with 'apt-get install libvulkan1'");
  }
}

void* loader() {
  // Other threads wait for this initialization; if it throws, the next call tries again.
  static void* const library = open_loader();
  return library;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_export(VkInstance, const char* name) {
  return reinterpret_cast<PFN_vkVoidFunction>(::dlsym(loader(), name));
}

bool find_all() {
  loader();
  volkInitializeCustom(find_export);
  volkLoadInstance(VK_NULL_HANDLE);  // an export serves all instances
  if (vkCmdPipelineBarrier2 == nullptr) {
    base::fail("Vulkan's loader (", kLoaderLibrary,
               ") has no vkCmdPipelineBarrier2: it is older than Vulkan 1.3; install a newer "
               "libvulkan1");
  }
  vkGetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(find_export(nullptr, "vkGetInstanceProcAddr"));
  return true;
}

}  // namespace

void* open_library(const std::string& name) {
  // RTLD_LOCAL: functions of the same names in a driver do not replace those of the loader.
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* reason = ::dlerror();
  base::fail(reason == nullptr ? name + ": cannot be loaded" : reason);
}

void load_functions() {
  static const bool found = find_all();
  static_cast<void>(found);
}

}  // namespace awend::vulkan
