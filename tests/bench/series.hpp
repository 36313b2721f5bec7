// Costs along one axis, and the power of the size that they grow with.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/bench.hpp"

namespace awend::bench {

struct Cost {
  double size;        ///< Where on the axis.
  double seconds;     ///< Of all shares together.
  double shares = 0;  ///< Sentences, say; 0 where it is not shared out.
  double counted;     ///< Operations of a share, up to a factor.
};

class Series {
 public:
  /// Rows are called "NAME AXIS=SIZE".
  Series(std::string name, std::string axis) : name_(std::move(name)), axis_(std::move(axis)) {}

  /// Adds a row: milliseconds of all, microseconds of a share.
  void add(const Bench& bench, const Cost& cost);
  /// Adds the row "NAME over AXIS", exponents of a share's cost: of all points, of the three
  /// largest, and as counted.  Two points make the first line.
  void fit(const Bench& bench) const;

 private:
  double slope(const std::vector<double>& values, std::size_t first) const;

  std::string name_, axis_;
  std::vector<double> sizes_, costs_, counted_;  // logarithms
};

}  // namespace awend::bench
