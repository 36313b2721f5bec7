// Options of the tools that compute on a device.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "base/machine.hpp"
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

/// The value of --threads, at most one per processor; 0 if it is not given.
inline unsigned device_threads_of(const cli::Options& options) {
  if (!options.has("threads")) return 0;
  return std::min(options.integer<unsigned>("threads", {1, 1024}), base::processors());
}

/// Applies --threads to Vulkan devices.  Lavapipe reads its number of threads from the environment
/// when it is loaded: call this before the first device is opened, and before any thread is
/// started.
inline void limit_device_threads(const cli::Options& options) {
  const unsigned threads = device_threads_of(options);
  if (threads == 0) return;
  if (options.integer<unsigned>("threads") > threads) {
    cli::report_for(options).warning(
        base::concat("option '--threads': only ", threads, " of them compute, one per processor"));
  }
  ::setenv("LP_NUM_THREADS", base::concat(threads).c_str(), 1);
}

}  // namespace awend::tools
