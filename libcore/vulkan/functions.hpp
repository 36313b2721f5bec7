// Vulkan functions, which volk loads at run time: no program links libvulkan, so that a program
// without it can report what is missing, and do everything that needs no device.
//
// The only file that includes <volk.h>, which includes <vulkan/vulkan.h> without the declarations
// of functions, and declares pointers with their names.  They are the exports of the loader, which
// work for all instances and devices; pointers from vkGetInstanceProcAddr would work for one
// instance only.  Functions of extensions are not exported: use vkGetInstanceProcAddr. Test:
// tests/unit/vulkan/functions_test.cpp, tests/cli/no_loader.sh.
#pragma once

#include <volk.h>

#include <string>

namespace awend::vulkan {

/// The file name of the loader, except on Windows and macOS.
inline constexpr const char* kLoaderLibrary = "libvulkan.so.1";

/// Loads a shared library, which stays loaded until the process ends.  Throws Error with the reason
/// if that fails.
void* open_library(const std::string& name);

/// Sets the function pointers, once; the first Instance calls it.  Thread-safe.
/// Throws Error if there is no loader or it is older than Vulkan 1.3, naming what to install.
void load_functions();

}  // namespace awend::vulkan
