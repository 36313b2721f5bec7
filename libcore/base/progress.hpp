// A status line: percent, rate and time left, only where Report shows one: after a second, so that
// what is done at once does not flicker, and then at most five times a second.  Test:
// tests/unit/base/report_test.cpp, tests/cli/progress.sh.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/report.hpp"

namespace awend::base {

class Progress {
 public:
  /// `what` is being done to `total` things called `unit`; a total of 0 is one that is not known.
  struct Task {
    std::string_view what, unit;
    std::uint64_t total = 0;
    std::uint64_t total_bytes = 0;  ///< Of the input, which tell how far it is where no total does.
    /// Written meanwhile.  There is no status line where it would be between lines of the output,
    /// or where another program reads the output: the last program of a pipe shows one, so that
    /// several do not overwrite each other's.
    const OutputFile* output = nullptr;
    /// Read meanwhile, for total_bytes.  There is no status line where one is a terminal that the
    /// user types in.
    std::span<const std::string> inputs = {};
  };

  /// How far it is.
  struct State {
    std::uint64_t done = 0;
    std::uint64_t bytes = 0;     ///< Of total_bytes.
    double share = -1;           ///< Of the whole, if neither total is the measure; -1: they are.
    std::string_view more = {};  ///< What else there is to say.
  };

  Progress(const Report& report, Task task);
  /// Takes the line away.
  ~Progress();

  /// Cheap: call it as often as you like.
  void update(const State& state);
  void update(std::uint64_t done) { update(State{.done = done}); }

  /// Whether the next update would be shown, for a State that takes work to put together.
  bool is_due() const;

  /// The line's text after `seconds`, e.g. "learning 37% 1200 merges/s 0:21 left".
  static std::string line(const Task& task, const State& state, double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  const Report& report_;
  Task task_;
  bool shown_;
  Clock::time_point start_, next_;
};

}  // namespace awend::base
