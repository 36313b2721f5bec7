// The warning for long runs.
#include "train/run_estimate.hpp"

#include "tests/catch.hpp"

namespace awend::train {
namespace {

TEST_CASE("durations have the unit that fits", "[estimate]") {
  CHECK(duration_text(7.4) == "7 s");
  CHECK(duration_text(119) == "119 s");
  CHECK(duration_text(600) == "10 minutes");
  CHECK(duration_text(7300) == "2 hours");
  CHECK(duration_text(3600 * 47) == "47 hours");
  CHECK(duration_text(86400 * 61.4) == "61 days");
}

TEST_CASE("only long runs without a time limit cause a warning", "[estimate]") {
  CHECK(long_run_warning({.updates = 1, .seconds = 53, .share = 1e-5}) ==
        "this run will take about 61 days on this CPU (53 s per update); a smaller model, fewer "
        "updates or a GPU take less");
  CHECK(long_run_warning({.updates = 10, .seconds = 2.14, .share = 1e-5})->find("(0.21 s per") !=
        std::string::npos);
  CHECK_FALSE(long_run_warning({.updates = 5, .seconds = 2, .share = 1e-4}));
  CHECK_FALSE(
      long_run_warning({.updates = 1, .seconds = 53, .share = 1e-5, .time_limit_seconds = 1800}));
}

TEST_CASE("a pace is settled after some updates or some time", "[estimate]") {
  CHECK_FALSE(is_settled({.updates = 4, .seconds = 29}));
  CHECK(is_settled({.updates = 5, .seconds = 0.1}));
  CHECK(is_settled({.updates = 1, .seconds = 30}));
}

}  // namespace
}  // namespace awend::train
