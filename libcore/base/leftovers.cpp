#include "base/leftovers.hpp"

#include <signal.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

namespace awend::base {
namespace {

namespace fs = std::filesystem;

/// The PID in "NAME.PID.tmp".
std::optional<pid_t> writer_of(std::string_view name) {
  constexpr std::string_view kSuffix = ".tmp";
  if (!name.ends_with(kSuffix)) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto digits = name.substr(dot + 1);
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error != std::errc() || end != digits.data() + digits.size() || pid <= 0) return std::nullopt;
  return pid;
}

bool is_dead(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

void remove_leftovers(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const auto pid = writer_of(entry->path().filename().string());
    if (!pid || !is_dead(*pid)) continue;
    std::error_code unseen;
    const auto written = entry->last_write_time(unseen);
    if (!unseen && fs::file_time_type::clock::now() - written > std::chrono::hours(1))
      fs::remove(entry->path(), unseen);
  }
}

}  // namespace awend::base
