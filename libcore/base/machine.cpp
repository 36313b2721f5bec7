#include "base/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>
#include <thread>
#include <vector>

#include "base/concat.hpp"
#include "base/numbers.hpp"

namespace awend::base {
namespace {

// The words of a short file; none if there is no such file.
std::vector<std::string> words_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; file >> word;) words.push_back(word);
  return words;
}

template <class Value>
void lower(std::optional<Value>& limit, Value other) {
  limit = std::min(limit.value_or(other), other);
}

// Reads the limits in the directory of a group.  "max" and -1 are none.
void read_limits(const std::string& directory, GroupLimits& limits) {
  for (const std::string_view name : {"/memory.max", "/memory.limit_in_bytes"}) {
    for (const std::string& word : words_of(concat(directory, name))) {
      if (const auto bytes = find_number<std::uint64_t>(word)) lower(limits.memory_bytes, *bytes);
    }
  }
  auto time = words_of(concat(directory, "/cpu.max"));
  for (const std::string_view name : {"/cpu.cfs_quota_us", "/cpu.cfs_period_us"}) {
    const auto words = words_of(concat(directory, name));
    time.insert(time.end(), words.begin(), words.end());
  }
  if (time.size() != 2) return;
  const auto quota = find_number<double>(time[0]), period = find_number<double>(time[1]);
  if (quota && period && *quota > 0 && *period > 0) lower(limits.processors, *quota / *period);
}

// The places of a hierarchy with these controllers; without any it is that of version 2.
std::vector<std::string_view> places_of(std::string_view controllers) {
  if (controllers.empty()) return {"", "/unified"};
  if (controllers == "memory") return {"/memory"};
  if (controllers == "cpu" || controllers == "cpu,cpuacct") return {"/cpu", "/cpu,cpuacct"};
  return {};
}

}  // namespace

GroupLimits group_limits(const std::string& root) {
  GroupLimits limits;
  std::ifstream groups(concat(root, "/proc/self/cgroup"));
  // "0::/path" or "4:memory:/path"
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(":/");
    if (second == line.npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    for (const std::string_view place : places_of(controllers)) {
      // In a container the path may be that of the machine, of which only the top is visible.
      for (std::string group = line.substr(second + 1);; group.erase(group.rfind('/'))) {
        read_limits(concat(root, "/sys/fs/cgroup", place, group), limits);
        if (group.empty()) break;
      }
    }
  }
  return limits;
}

unsigned processors() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  // Fails with more than 1024 processors.
  if (::sched_getaffinity(0, sizeof usable, &usable) == 0)
    return static_cast<unsigned>(CPU_COUNT(&usable));
  return std::max(1U, std::thread::hardware_concurrency());
}

unsigned processor_share() {
  static const auto quota = group_limits().processors;
  if (!quota || *quota >= processors()) return processors();
  return static_cast<unsigned>(std::max(1.0, std::ceil(*quota)));
}

std::uint64_t usable_memory_bytes() {
  static const auto group = group_limits().memory_bytes;
  std::uint64_t bytes = group.value_or(std::numeric_limits<std::uint64_t>::max());
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0)
    bytes = std::min(bytes, std::uint64_t(pages) * std::uint64_t(page_bytes));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  return bytes;
}

}  // namespace awend::base
