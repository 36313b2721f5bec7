#include "base/progress.hpp"

#include "base/concat.hpp"

namespace awend::base {
namespace {

std::string minutes(std::uint64_t seconds) {
  const std::uint64_t rest = seconds % 60;
  return concat(seconds / 60, rest < 10 ? ":0" : ":", rest);
}

}  // namespace

Progress::Progress(const Report& report, Task task)
    : report_(report), task_(task), start_(Clock::now()), shown_(start_) {}

Progress::~Progress() {
  report_.status({});
}

void Progress::update(std::uint64_t done) {
  if (!report_.shows_status()) return;
  const auto now = Clock::now();
  if (now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  report_.status(line(task_, done, std::chrono::duration<double>(now - start_).count()));
}

std::string Progress::line(const Task& task, std::uint64_t done, double seconds) {
  std::string text(task.what);
  if (task.total > 0) text += concat(" ", done * 100 / task.total, "%");
  if (seconds <= 0 || done == 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  if (task.total == 0) text += concat(" ", done);
  text += concat(" ", static_cast<std::uint64_t>(rate), " ", task.unit, "/s");
  if (task.total > done) {
    text += concat(
        " ", minutes(static_cast<std::uint64_t>(static_cast<double>(task.total - done) / rate)),
        " left");
  }
  return text;
}

}  // namespace awend::base
