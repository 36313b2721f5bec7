// The learning rate against the paper's formula, written out as it stands there.
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

TEST_CASE("the peak is what was asked for, and is reached at the end of the warm-up",
          "[schedule]") {
  const Schedule schedule{.peak = 0.005, .warmup = 800};
  CHECK(schedule.rate(800) == 0.005);
  CHECK(schedule.rate(400) == Approx(0.0025));
  CHECK(schedule.rate(3200) == Approx(0.0025));
  CHECK(schedule.rate(799) < schedule.rate(800));
  CHECK(schedule.rate(801) < schedule.rate(800));
}

}  // namespace
}  // namespace awend::train
