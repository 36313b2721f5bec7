#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/format.hpp"

namespace awend::cli {
namespace {

// Small rates have one decimal place: one update in two seconds is not 0/s.
std::string rate_text(double rate) {
  const auto tenths = static_cast<std::uint64_t>(rate * 10);
  return tenths < 100 ? base::concat(tenths / 10, ".", tenths % 10) : base::concat(tenths / 10);
}

/// The completed share, or -1 if it is unknown.
double share_of(const Progress::Task& task, const Progress::State& state) {
  const auto part = [](std::uint64_t done, std::uint64_t total) {
    return static_cast<double>(done) / static_cast<double>(total);
  };
  if (state.share >= 0) return std::min(state.share, 1.0);
  if (task.total > 0) return std::min(part(state.done, task.total), 1.0);
  if (task.total_bytes > 0) return std::min(part(state.bytes, task.total_bytes), 1.0);
  return -1;
}

bool collides_with(const base::OutputFile* output) {
  return output != nullptr && (output->is_terminal() || output->is_piped_stdout());
}

bool is_typed(std::span<const std::string> inputs) {
  return std::ranges::find(inputs, "-") != inputs.end() && ::isatty(STDIN_FILENO) == 1;
}

}  // namespace

Progress::Progress(const base::Report& report, Task task)
    : report_(report),
      task_(task),
      shown_(report.shows_status() && !collides_with(task.output) && !is_typed(task.inputs)),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {
  if (!task_.inputs.empty()) task_.total_bytes = base::bytes_to_read(task_.inputs);
  task_.inputs = {};  // need not outlive this call
}

Progress::~Progress() {
  report_.status({});
}

bool Progress::is_due() const {
  return shown_ && Clock::now() >= next_;
}

void Progress::update(const State& state) {
  if (!is_due()) return;
  const auto now = Clock::now();
  next_ = now + std::chrono::milliseconds(200);
  report_.status(line(task_, state, std::chrono::duration<double>(now - start_).count()));
}

std::string Progress::line(const Task& task, const State& state, double seconds) {
  const double share = share_of(task, state);
  std::string text(task.what);
  if (share >= 0) text += base::concat(" ", static_cast<int>(share * 100), "%");
  if (seconds > 0 && state.done > 0) {
    if (share < 0) text += base::concat(" ", state.done);
    text += base::concat(" ", rate_text(static_cast<double>(state.done) / seconds), " ", task.unit,
                         "/s");
  }
  if (seconds > 0 && share > 0 && share < 1)
    text +=
        base::concat(" ", base::clock_text(std::min(seconds * (1 - share) / share, 1e9)), " left");
  if (!state.more.empty()) text += base::concat(", ", state.more);
  return text;
}

}  // namespace awend::cli
