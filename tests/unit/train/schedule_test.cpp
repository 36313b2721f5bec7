// The learning rate against the formula of the paper.
#include "train/schedule.hpp"

#include "tests/catch.hpp"

namespace awend::train {
namespace {

double formula(double d_model, double warmup, double step) {
  return std::pow(d_model, -0.5) * std::min(std::pow(step, -0.5), step * std::pow(warmup, -1.5));
}

TEST_CASE("the paper's rate at every stage", "[schedule]") {
  const Schedule schedule{.peak = Schedule::paper_peak(512, 4000), .warmup = 4000};
  for (const std::uint64_t step : {1, 2, 100, 3999, 4000, 4001, 10000, 100000}) {
    CAPTURE(step);
    CHECK(schedule.rate(step) ==
          Approx(formula(512, 4000, static_cast<double>(step))).epsilon(1e-12));
  }
  CHECK(schedule.rate(4000) == Approx(6.987712e-4));
}

TEST_CASE("the peak is the requested rate, at the end of the warm-up", "[schedule]") {
  const Schedule schedule{.peak = 0.005, .warmup = 800};
  CHECK(schedule.rate(800) == 0.005);
  CHECK(schedule.rate(400) == Approx(0.0025));
  CHECK(schedule.rate(3200) == Approx(0.0025));
  CHECK(schedule.rate(799) < schedule.rate(800));
  CHECK(schedule.rate(801) < schedule.rate(800));
}

TEST_CASE("other curves have the same warm-up, and are constant or fall to 0", "[schedule]") {
  const auto schedule = [](Curve curve) {
    return Schedule{.peak = 0.004, .warmup = 100, .curve = curve, .end = 1100};
  };
  for (const auto curve : {Curve::kConstant, Curve::kLinear, Curve::kCosine}) {
    CHECK(schedule(curve).rate(25) == Approx(0.001));
    CHECK(schedule(curve).rate(100) == 0.004);
  }
  CHECK(schedule(Curve::kConstant).rate(100'000) == 0.004);
  CHECK(schedule(Curve::kLinear).rate(350) == Approx(0.003));
  CHECK(schedule(Curve::kLinear).rate(1100) == 0);
  CHECK(schedule(Curve::kLinear).rate(2000) == 0);
  CHECK(schedule(Curve::kCosine).rate(600) == Approx(0.002));
  CHECK(schedule(Curve::kCosine).rate(350) == Approx(0.002 + 0.002 * std::sqrt(0.5)));
  CHECK(schedule(Curve::kCosine).rate(1100) == Approx(0).margin(1e-12));
}

}  // namespace
TEST_CASE("the rate halves after equal numbers of steps", "[schedule]") {
  const Schedule schedule{.peak = 0.4, .warmup = 10, .curve = Curve::kHalving, .end = 100};
  CHECK(schedule.rate(5) == Approx(0.2));
  CHECK(schedule.rate(10) == 0.4);
  CHECK(schedule.rate(110) == 0.4);
  CHECK(schedule.rate(111) == Approx(0.2));
  CHECK(schedule.rate(210) == Approx(0.2));
  CHECK(schedule.rate(211) == Approx(0.1));
}

TEST_CASE("the rate stays at its peak until the last phase of training", "[schedule]") {
  const auto schedule = [](Curve curve) {
    return Schedule{.peak = 0.4, .warmup = 10, .curve = curve, .end = 700, .start = 500};
  };
  for (const auto curve :
       {Curve::kInverseSquareRoot, Curve::kConstant, Curve::kLinear, Curve::kCosine}) {
    CHECK(schedule(curve).rate(5) == Approx(0.2));
    CHECK(schedule(curve).rate(10) == 0.4);
    CHECK(schedule(curve).rate(500) == 0.4);
  }
  CHECK(schedule(Curve::kLinear).rate(600) == Approx(0.2));
  CHECK(schedule(Curve::kCosine).rate(600) == Approx(0.2));
  CHECK(schedule(Curve::kInverseSquareRoot).rate(2000) == Approx(0.2));
  CHECK(schedule(Curve::kHalving).rate(1200) == 0.4);
  CHECK(schedule(Curve::kHalving).rate(1201) == Approx(0.2));
}

}  // namespace awend::train
