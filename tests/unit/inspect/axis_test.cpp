// Tick labels of an axis, and positions of values.
#include "inspect/axis.hpp"

#include "tests/catch.hpp"

namespace awend::tools {
namespace {

std::string labels(const Axis& axis, int max) {
  std::string text;
  for (const auto& tick : axis.ticks(max)) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

TEST_CASE("a linear axis has round numbers, and zero if it is near", "[axis]") {
  CHECK(labels({1.2, 6.3, Scale::kLinear}, 6) == "0 2 4 6");
  CHECK(labels({42, 92, Scale::kLinear}, 6) == "40 50 60 70 80 90");
  CHECK(labels({0, 0.0031, Scale::kLinear}, 6) == "0 0.001 0.002 0.003");
  CHECK(labels({0, 100000, Scale::kLinear}, 5) == "0 20k 40k 60k 80k 100k");
  CHECK(labels({-1, 1, Scale::kLinear}, 4) == "-1 -0.5 0 0.5 1");
}

TEST_CASE("an axis over one number has a margin", "[axis]") {
  const Axis axis(5, 5, Scale::kLinear);
  CHECK(axis.place(5) == Approx(0.5));
  CHECK(Axis(0, 0, Scale::kLinear).place(0) == Approx(0.5));
  CHECK(Axis(7, 7, Scale::kLogarithmic).place(7) == Approx(0.5));
}

TEST_CASE("a logarithmic axis has powers of ten and what lies between", "[axis]") {
  CHECK(labels({1.2, 400, Scale::kLogarithmic}, 6) == "1 3 10 30 100 300");
  CHECK(labels({1, 1e9, Scale::kLogarithmic}, 6) == "1 100 10k 1M 100M");
  CHECK(labels({0.6, 2.3, Scale::kLogarithmic}, 6) == "1 1.5 2");
  const Axis axis(1, 100, Scale::kLogarithmic);
  CHECK(axis.place(10) == Approx(0.5));
  CHECK(axis.place(1) > 0);
  CHECK(axis.place(100) < 1);
}

TEST_CASE("ticks lie on the axis, whatever its ends", "[axis]") {
  for (const double min : {1e-7, 0.003, 0.99, 3.0, 17.0, 4e5}) {
    for (const double factor : {1.0, 1.0001, 1.5, 7.0, 1e3, 1e6}) {
      for (const auto scale : {Scale::kLinear, Scale::kLogarithmic}) {
        const Axis axis(min, min * factor, scale);
        CHECK(axis.place(min) >= 0);
        CHECK(axis.place(min * factor) <= 1 + 1e-9);
        const auto ticks = axis.ticks(6);
        CHECK(!ticks.empty());
        CHECK(ticks.size() <= 12);
        for (const auto& tick : ticks) {
          CHECK(axis.place(tick.value) >= -1e-6);
          CHECK(axis.place(tick.value) <= 1 + 1e-6);
        }
      }
    }
  }
}

TEST_CASE("an axis of numbers that are next to each other ends", "[axis]") {
  const Axis axis(1e17, 1e17 + 16, Scale::kLinear);
  CHECK(axis.ticks(6).size() <= 12);
}

TEST_CASE("labels are short", "[axis]") {
  CHECK(tick_label(0) == "0");
  CHECK(tick_label(2500) == "2500");
  CHECK(tick_label(25000) == "25k");
  CHECK(tick_label(1.5e6) == "1.5M");
  CHECK(tick_label(1e-7) == "1e-07");
  CHECK(tick_label(0.1 + 0.2) == "0.3");
}

}  // namespace
}  // namespace awend::tools
