// What is said is tested by tests/manners, on a terminal and off it; here only the status line's
// words.
#include "base/progress.hpp"
#include "tests/catch.hpp"

namespace {

using awend::base::Progress;

TEST_CASE("the status line tells percent, rate and time left") {
  const Progress::Task task = {"learning", "pieces", 1000};
  CHECK(Progress::line(task, 0, 0) == "learning 0%");
  CHECK(Progress::line(task, 250, 2) == "learning 25% 125 pieces/s 0:06 left");
  CHECK(Progress::line(task, 1, 1) == "learning 0% 1 pieces/s 16:39 left");
  CHECK(Progress::line(task, 1000, 4) == "learning 100% 250 pieces/s");
  CHECK(Progress::line({"counting", "lines"}, 5000, 2) == "counting 5000 2500 lines/s");
}

}  // namespace
