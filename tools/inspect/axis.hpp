// Scales of a chart: where a number comes to lie, and which numbers stand beside the axis.
// Test: tests/unit/inspect/axis_test.cpp.
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
  /// From `least` to `most`, widened to round numbers where that takes little room; both are
  /// finite, and positive on a logarithmic scale.
  Axis(double least, double most, Scale scale);

  /// 0 at the beginning, 1 at the end.
  double place(double value) const;
  double begin() const { return begin_; }
  double end() const { return end_; }
  /// At most about `most` of them, by rising value.
  std::vector<Tick> ticks(int most) const;

 private:
  double begin_, end_;
  Scale scale_;
};

/// Short, and the same digits for the same number: "2500", "25k", "1.5M", "0.002", "1e-07".
std::string tick_label(double value);

}  // namespace awend::tools
