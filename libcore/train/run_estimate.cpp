#include "train/run_estimate.hpp"

#include <cmath>

#include "base/concat.hpp"

namespace awend::train {
namespace {

constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr double kLong = kDay / 2;
// The first updates fill caches.  Slow updates are reported after the first one.
constexpr std::uint64_t kEnoughUpdates = 5;
constexpr double kEnoughSeconds = 30;

std::string with_unit(double count, std::string_view unit) {
  return base::concat(static_cast<std::uint64_t>(std::llround(count)), ' ', unit);
}

/// Two digits: "0.21", "3.4", "53".
std::string two_digits(double value) {
  const double scale = value < 1 ? 100 : value < 10 ? 10 : 1;
  return base::concat(std::round(value * scale) / scale);
}

}  // namespace

bool is_settled(const RunPace& pace) {
  return pace.updates >= kEnoughUpdates || pace.seconds >= kEnoughSeconds;
}

std::string duration_text(double seconds) {
  if (seconds < 2 * kMinute) return with_unit(seconds, "s");
  if (seconds < 2 * kHour) return with_unit(seconds / kMinute, "minutes");
  if (seconds < 2 * kDay) return with_unit(seconds / kHour, "hours");
  return with_unit(seconds / kDay, "days");
}

std::optional<std::string> long_run_warning(const RunPace& pace) {
  const double whole = pace.seconds / pace.share;
  if (whole < kLong || pace.time_limit_seconds > 0) return std::nullopt;
  return base::concat("this run will take about ", duration_text(whole), " on this CPU (",
                      two_digits(pace.seconds / static_cast<double>(pace.updates)),
                      " s per update); a smaller model, fewer updates or a GPU take less");
}

}  // namespace awend::train
