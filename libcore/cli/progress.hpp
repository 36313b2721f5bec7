// The status line: percent, rate and time left, where Report shows one.  It first appears after
// one second, so that short work does not flicker, and is then updated at most five times a second.
// Test: tests/unit/cli/progress_test.cpp, tests/cli/progress.sh.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/report.hpp"

namespace awend::cli {

class Progress {
 public:
  /// `what` is being done to `total` items called `unit`; 0 if the total is unknown.
  struct Task {
    std::string_view what, unit;
    std::uint64_t total = 0;
    std::uint64_t total_bytes = 0;  ///< Of the input; used if `total` is unknown.
    /// The output.  There is no status line if it would appear between lines of the output, or if
    /// another program reads the output: in a pipe, only the last program shows one.
    const base::OutputFile* output = nullptr;
    /// The inputs, for total_bytes.  There is no status line if one is a terminal, where the user
    /// types.
    std::span<const std::string> inputs = {};
  };

  /// The current progress.
  struct State {
    std::uint64_t done = 0;
    std::uint64_t bytes = 0;     ///< Of total_bytes.
    double share = -1;           ///< Completed share, if neither total measures it; -1: they do.
    std::string_view more = {};  ///< Additional text.
  };

  Progress(const base::Report& report, Task task);
  /// Clears the line.
  ~Progress();

  /// Cheap enough for every iteration.
  void update(const State& state);
  void update(std::uint64_t done) { update(State{.done = done}); }

  /// Whether the next update would be shown, for a State that is expensive to compute.
  bool is_due() const;

  /// The text of the line after `seconds`, such as "learning 37% 1200 merges/s 0:21 left".
  static std::string line(const Task& task, const State& state, double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  const base::Report& report_;
  Task task_;
  bool shown_;
  Clock::time_point start_, next_;
};

}  // namespace awend::cli
