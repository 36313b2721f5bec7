// Axes of a chart: positions of values, and tick labels. Test: tests/unit/inspect/axis_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace awend::tools {

enum class Scale { kLinear, kLogarithmic };

struct Tick {
  double value;
  std::string label;
};

class Axis {
 public:
  /// From `min` to `max`, extended to round numbers if they are close; both are finite, and
  /// positive on a logarithmic scale.
  Axis(double min, double max, Scale scale);

  /// 0 at the beginning, 1 at the end.
  double place(double value) const;
  double begin() const { return begin_; }
  double end() const { return end_; }
  /// At most about `max` ticks, by increasing value.
  std::vector<Tick> ticks(int max_count) const;

 private:
  double begin_, end_;
  Scale scale_;
};

/// Short, and the same text for the same number: "2500", "25k", "1.5M", "0.002", "1e-07".
std::string tick_label(double value);

}  // namespace awend::tools
