// Unit tests of the text of the status line.  tests/conventions tests the messages of the tools.
#include "cli/progress.hpp"

#include "tests/catch.hpp"

namespace {

using awend::cli::Progress;

TEST_CASE("the status line tells percent, rate and time left") {
  const Progress::Task task = {"learning", "pieces", 1000};
  const auto line = [&](std::uint64_t done, double seconds) {
    return Progress::line(task, {.done = done}, seconds);
  };
  CHECK(line(0, 0) == "learning 0%");
  CHECK(line(250, 2) == "learning 25% 125 pieces/s 0:06 left");
  CHECK(line(1, 1) == "learning 0% 1.0 pieces/s 16:39 left");
  CHECK(line(1, 10) == "learning 0% 0.1 pieces/s 2:46:30 left");
  CHECK(line(1000, 4) == "learning 100% 250 pieces/s");
}

TEST_CASE("bytes of the input, or a share, tell how far it is where no number of things does") {
  CHECK(Progress::line({"counting", "lines"}, {.done = 5000}, 2) == "counting 5000 2500 lines/s");
  const Progress::Task task = {.what = "counting", .unit = "lines", .total_bytes = 1000};
  CHECK(Progress::line(task, {}, 2) == "counting 0%");
  CHECK(Progress::line(task, {.done = 40, .bytes = 500}, 2) == "counting 50% 20 lines/s 0:02 left");
  // A file may grow while it is read.
  CHECK(Progress::line(task, {.done = 80, .bytes = 2000}, 2) == "counting 100% 40 lines/s");
  CHECK(Progress::line({"training", "steps"}, {.done = 3, .share = 0.25, .more = "loss 2"}, 6) ==
        "training 25% 0.5 steps/s 0:18 left, loss 2");
}

}  // namespace
