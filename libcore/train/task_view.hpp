// How a run shows its progress, if the program has a status line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/report.hpp"

namespace awend::train {

/// Something that takes long: `what` is being done to items called `unit`.
struct Task {
  std::string_view what, unit;
  std::uint64_t total_bytes = 0;  ///< Of the input; 0 if that does not measure it.
};

struct TaskState {
  std::uint64_t done = 0;      ///< Items.
  std::uint64_t bytes = 0;     ///< Of total_bytes.
  double share = -1;           ///< Completed share; -1: bytes measure it.
  std::string_view more = {};  ///< Additional text.
};

/// Shows a task during its lifetime.  This class itself shows nothing.
class TaskView {
 public:
  virtual ~TaskView() = default;
  /// Whether the next update would be shown, for a state that is expensive to compute.
  virtual bool is_due() const { return false; }
  /// Cheap enough for every iteration.
  virtual void update(const TaskState&) {}
};

/// Starts to show a task where `report` shows messages.
using ShowTask = std::function<std::unique_ptr<TaskView>(const base::Report& report, const Task&)>;

inline std::unique_ptr<TaskView> show_nothing(const base::Report&, const Task&) {
  return std::make_unique<TaskView>();
}

}  // namespace awend::train
