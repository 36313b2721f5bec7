#include "base/machine.hpp"

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;

void put(const tests::Scratch& root, const std::string& path, std::string_view text) {
  const fs::path file = root.path(path);
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text << '\n';
}

TEST_CASE("only processors that the process may use count", "[machine]") {
  cpu_set_t all;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  CHECK(processors() == static_cast<unsigned>(CPU_COUNT(&all)));
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(processors() == 1);
  CHECK(processor_share() == 1);
  REQUIRE(::sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(usable_memory_bytes() > 1 << 24);
}

TEST_CASE("the groups of version 2 that contain the process limit it", "[machine]") {
  const tests::Scratch root;
  put(root, "proc/self/cgroup", "0::/user/job");
  CHECK_FALSE(group_limits(root.folder()).processors);
  put(root, "sys/fs/cgroup/user/job/memory.max", "max");
  put(root, "sys/fs/cgroup/user/job/cpu.max", "150000 100000");
  put(root, "sys/fs/cgroup/user/memory.max", "4294967296");
  put(root, "sys/fs/cgroup/user/cpu.max", "max 100000");
  put(root, "sys/fs/cgroup/other/cpu.max", "1000 100000");
  const auto limits = group_limits(root.folder());
  CHECK(limits.processors == 1.5);
  CHECK(limits.memory_bytes == std::uint64_t{1} << 32);
}

TEST_CASE("in a container the group is at the top", "[machine]") {
  const tests::Scratch root;
  put(root, "proc/self/cgroup", "0::/docker/0123");
  put(root, "sys/fs/cgroup/cpu.max", "50000 100000");
  put(root, "sys/fs/cgroup/memory.max", "1048576");
  const auto limits = group_limits(root.folder());
  CHECK(limits.processors == 0.5);
  CHECK(limits.memory_bytes == 1048576);
}

TEST_CASE("groups of version 1", "[machine]") {
  const tests::Scratch root;
  put(root, "proc/self/cgroup", "12:memory:/a\n4:cpu,cpuacct:/b\n1:name=systemd:/\n0::/c");
  put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  put(root, "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "536870912");
  put(root, "sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_quota_us", "200000");
  put(root, "sys/fs/cgroup/cpu,cpuacct/b/cpu.cfs_period_us", "100000");
  // Of another group, which has the name of that of another controller.
  put(root, "sys/fs/cgroup/memory/b/memory.limit_in_bytes", "4096");
  put(root, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  put(root, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  const auto limits = group_limits(root.folder());
  CHECK(limits.processors == 2);
  CHECK(limits.memory_bytes == 536870912);
}

}  // namespace
}  // namespace awend::base
