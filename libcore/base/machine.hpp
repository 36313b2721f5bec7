// What this process may use of the machine, where a container or a batch system grants only a part.
//
// Test: tests/unit/base/machine_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace awend::base {

/// The processors on which this process may run.
unsigned processors();

/// The default number of threads: processors(), or fewer if the control group of this process has a
/// quota of their time.
unsigned processor_share();

/// The memory in bytes that this process may have: that of the machine, or less by the limit of its
/// control group or of its address space (ulimit -v).
std::uint64_t usable_memory_bytes();

/// The limits of the control groups of this process, of version 1 and 2, and of those that contain
/// them; nothing where there is none.
struct GroupLimits {
  std::optional<double> processors;
  std::optional<std::uint64_t> memory_bytes;
};

/// `root`: a prefix of the paths of /proc and /sys.
GroupLimits group_limits(const std::string& root = "");

}  // namespace awend::base
