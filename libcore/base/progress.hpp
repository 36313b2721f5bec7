// A status line: percent, rate and time left, at most five times a second, and only where Report
// shows one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/report.hpp"

namespace awend::base {

class Progress {
 public:
  /// `what` is being done to `total` things called `unit`; a total of 0 is one that is not known.
  struct Task {
    std::string_view what, unit;
    std::uint64_t total = 0;
  };

  Progress(const Report& report, Task task);
  /// Takes the line away.
  ~Progress();

  /// `done` of the total are behind us.  Cheap: call it as often as you like.
  void update(std::uint64_t done);

  /// The line's text after `seconds`, e.g. "learning 37% 1200 merges/s 0:21 left".
  static std::string line(const Task& task, std::uint64_t done, double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  const Report& report_;
  Task task_;
  Clock::time_point start_, shown_;
};

}  // namespace awend::base
