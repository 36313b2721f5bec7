// Lines of the log: all columns, unknown values, and the header.
#include "train/log.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::train {
namespace {

Update update(double nll_per_token, double norm) {
  return {.losses = {.smoothed = 110 * nll_per_token,
                     .negative_log_likelihood = 100 * nll_per_token,
                     .tokens = 100},
          .rate = 0.001,
          .gradient_norm = norm};
}

TEST_CASE("a line has means over the updates since the last line", "[log]") {
  LogLine line{.step = 50, .epochs = 1.25, .seconds = 12.34, .rate = 6.98771e-4, .skipped = 1};
  line.window.add(update(2, 0.5), 0.25);
  line.window.add(update(4, 1.5), 0.25);
  CHECK(to_text(line) == "50\t1.250\t12.3\t3.3000\t20.09\t400\t0.0006988\t1\t1\t-\t-\t-\t-\n");
}

TEST_CASE("a validation fills its columns", "[log]") {
  LogLine line{.step = 1000, .epochs = 2, .seconds = 100};
  line.window.add(update(1, 1), 1);
  line.validation = forward::Losses{.smoothed = 30, .negative_log_likelihood = 20, .tokens = 10};
  CHECK(to_text(line).ends_with("\t0\t3.0000\t7.389\t-\t-\n"));
  line.scores = Scores{.bleu = 27.346, .chrf = 51.128};
  CHECK(to_text(line).ends_with("\t0\t3.0000\t7.389\t27.35\t51.13\n"));
}

TEST_CASE("a skipped update only counts as time and tokens", "[log]") {
  LogLine line{.step = 1};
  line.window.add(update(std::nan(""), std::nan("")), 0.5);
  CHECK(to_text(line) == "1\t0.000\t0.0\t-\t-\t200\t0\t-\t0\t-\t-\t-\t-\n");
  line.window.add(update(1, 2), 0.5);
  CHECK(line.window.losses.loss() == Approx(1.1));
  CHECK(line.window.norms / static_cast<double>(line.window.updates) == 2);
}

TEST_CASE("each line has as many columns as the header", "[log]") {
  const auto tabs = [](const std::string& text) { return std::ranges::count(text, '\t'); };
  CHECK(tabs(log_header()) == 12);
  CHECK(tabs(to_text({})) == tabs(log_header()));
  LogLine line;
  line.window.add(update(800, 1e30), 1e-9);  // numbers of many digits
  line.validation =
      forward::Losses{.smoothed = 1e300, .negative_log_likelihood = 1e300, .tokens = 1};
  CHECK(tabs(to_text(line)) == tabs(log_header()));
}

TEST_CASE("a terminal has columns one below the other, in a width of 79", "[log]") {
  LogLine line{.step = 1000, .epochs = 2.345, .seconds = 3723.4};
  CHECK(terminal_header().size() == 80);
  CHECK(terminal_text(line) ==
        "    1000    2.35  1:02:03           -         -                 -      -      -\n");
  line.window.add(update(1, 1), 0.25);
  line.validation = forward::Losses{.smoothed = 30, .negative_log_likelihood = 20, .tokens = 10};
  line.scores = Scores{.bleu = 27.346, .chrf = 51.128};
  CHECK(terminal_text(line) ==
        "    1000    2.35  1:02:03       2.718       400             7.389   27.3   51.1\n");
}

TEST_CASE("a log begins with its header", "[log]") {
  const tests::Scratch scratch;
  Log log({.output = scratch.path("log")});
  log.write({.step = 7});
  log.close();
  CHECK(tests::Scratch::read(scratch.path("log")) == log_header() + to_text({.step = 7}));
}

}  // namespace
}  // namespace awend::train
