#include "inspect/axis.hpp"

#include <algorithm>
#include <cmath>

#include "base/concat.hpp"
#include "base/format.hpp"
#include "inspect/layout.hpp"

namespace awend::tools {
namespace {

/// The smallest of 1, 2 and 5 times a power of ten that is not less than `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_values(double begin, double end, int max_count) {
  const double step = round_step((end - begin) / std::max(1, max_count));
  std::vector<double> values;
  const double slack = step * 1e-6;
  const double first = std::ceil((begin - slack) / step);
  // Counted by an integer: 1 more than 1e16 is the same number.
  const auto count = static_cast<int>(std::floor((end + slack) / step) - first) + 1;
  for (int i = 0; i < count; ++i) values.push_back(first + i == 0 ? 0 : (first + i) * step);
  return values;
}

/// The factors times powers of ten between both ends.
std::vector<double> powers(double begin, double end, const std::vector<double>& factors) {
  std::vector<double> values;
  for (int power = static_cast<int>(std::floor(std::log10(begin))) - 1; std::pow(10, power) <= end;
       ++power) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10, power);
      if (value >= begin * (1 - 1e-9) && value <= end * (1 + 1e-9)) values.push_back(value);
    }
  }
  return values;
}

std::vector<double> logarithmic_values(double begin, double end, int max_count) {
  for (const auto& factors :
       {std::vector{1.0, 2.0, 5.0}, std::vector{1.0, 3.0}, std::vector{1.0}}) {
    auto values = powers(begin, end, factors);
    if (std::ssize(values) > max_count) continue;
    // For less than a decade, linear ticks are more useful.
    return values.size() >= 3 ? values : linear_values(begin, end, std::min(max_count, 4));
  }
  auto values = powers(begin, end, {1});
  const auto every = (std::ssize(values) + max_count - 1) / max_count;
  std::vector<double> few;
  for (std::ptrdiff_t i = 0; i < std::ssize(values); i += every)
    few.push_back(values[static_cast<std::size_t>(i)]);
  return few;
}

}  // namespace

Axis::Axis(double min, double max, Scale scale) : begin_(min), end_(max), scale_(scale) {
  if (scale_ == Scale::kLogarithmic) {
    const double margin = std::max(std::log(max / min) * 0.04, 0.02);
    begin_ = min * std::exp(-margin);
    end_ = max * std::exp(margin);
    return;
  }
  if (min == max) {
    const double margin = min == 0 ? 1 : std::abs(min) * 0.1;
    begin_ -= margin;
    end_ += margin;
    return;
  }
  // Zero is included if it is near.
  if (min > 0 && min < 0.35 * max) begin_ = 0;
  const double step = round_step((end_ - begin_) / 10);
  begin_ = std::floor(begin_ / step + 1e-9) * step;
  end_ = std::ceil(end_ / step - 1e-9) * step;
}

double Axis::place(double value) const {
  if (scale_ == Scale::kLogarithmic) return std::log(value / begin_) / std::log(end_ / begin_);
  return (value - begin_) / (end_ - begin_);
}

std::vector<Tick> Axis::ticks(int max_count) const {
  const auto values = scale_ == Scale::kLinear ? linear_values(begin_, end_, max_count)
                                               : logarithmic_values(begin_, end_, max_count);
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({value, tick_label(value)});
  return ticks;
}

std::string tick_label(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 && size < 1e12) return base::significant(value / 1e6, 6) + "M";
  if (size >= 1e4 && size < 1e6) return base::significant(value / 1e3, 6) + "k";
  return base::significant(value, 6);
}

}  // namespace awend::tools
