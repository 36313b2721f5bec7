// Options of the tools that compute on a device.
#pragma once

#include <cstdlib>

#include "base/parallel.hpp"
#include "cli/options.hpp"

namespace awend::tools {

inline constexpr cli::Option kDeviceOption = {
    .name = "device",
    .metavar = "NAME",
    .help =
        "cpu, or index, UUID or part of the name of a Vulkan device; default: $AWEND_DEVICE, "
        "or the best GPU, or cpu",
    .environment = "AWEND_DEVICE"};

inline constexpr cli::Option kDeviceThreadsOption = {
    "threads", 'j', "N", "", "threads of a CPU device; default: one per processor"};

/// The value of --threads; 0 if it is not given.
inline unsigned device_threads_of(const cli::Options& options) {
  return options.has("threads") ? options.integer<unsigned>("threads", {.min = 1}) : 0;
}

/// Applies --threads to Vulkan devices.  Lavapipe reads its number of threads from the environment
/// when it is loaded: call this before the first device is opened, and before any thread is
/// started.
inline void limit_device_threads(const cli::Options& options) {
  if (!options.has("threads")) return;
  const auto threads = options.integer("threads", {.min = 1});
  if (threads > base::processors()) {
    throw base::UsageError(base::concat("option '--threads': ", threads,
                                        " requested, but this machine has ", base::processors(),
                                        " processors"));
  }
  ::setenv("LP_NUM_THREADS", base::concat(threads).c_str(), 1);
}

}  // namespace awend::tools
