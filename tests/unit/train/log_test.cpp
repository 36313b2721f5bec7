// Lines of the log: all columns, unknown values, and the header.
#include "train/log.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::train {
namespace {

constexpr ValidationMetric kOfTranslations[] = {ValidationMetric::kBleu, ValidationMetric::kChrf};

std::string text_of(const LogLine& line) {
  return to_text(line, kOfTranslations);
}

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
  CHECK(text_of(line) == "50\t1.250\t12.3\t3.3000\t20.09\t400\t0.0006988\t1\t1\t-\t-\t-\t-\n");
}

TEST_CASE("a validation fills its columns", "[log]") {
  LogLine line{.step = 1000, .epochs = 2, .seconds = 100};
  line.window.add(update(1, 1), 1);
  line.validation = forward::Losses{.smoothed = 30, .negative_log_likelihood = 20, .tokens = 10};
  CHECK(text_of(line).ends_with("\t0\t3.0000\t7.389\t-\t-\n"));
  line.scores = Scores{{ValidationMetric::kBleu, 27.346}, {ValidationMetric::kChrf, 51.128}};
  CHECK(text_of(line).ends_with("\t0\t3.0000\t7.389\t27.35\t51.13\n"));
}

TEST_CASE("a skipped update only counts as time and tokens", "[log]") {
  LogLine line{.step = 1};
  line.window.add(update(std::nan(""), std::nan("")), 0.5);
  CHECK(text_of(line) == "1\t0.000\t0.0\t-\t-\t200\t0\t-\t0\t-\t-\t-\t-\n");
  line.window.add(update(1, 2), 0.5);
  CHECK(line.window.losses.loss() == Approx(1.1));
  CHECK(line.window.norms / static_cast<double>(line.window.updates) == 2);
}

TEST_CASE("each line has as many columns as the header", "[log]") {
  const auto tabs = [](const std::string& text) { return std::ranges::count(text, '\t'); };
  CHECK(tabs(log_header(kOfTranslations)) == 12);
  CHECK(tabs(text_of({})) == tabs(log_header(kOfTranslations)));
  LogLine line;
  line.window.add(update(800, 1e30), 1e-9);  // numbers of many digits
  line.validation =
      forward::Losses{.smoothed = 1e300, .negative_log_likelihood = 1e300, .tokens = 1};
  CHECK(tabs(text_of(line)) == tabs(log_header(kOfTranslations)));
}

TEST_CASE("a terminal has columns one below the other, in a width of 79", "[log]") {
  LogLine line{.step = 1000, .epochs = 2.345, .seconds = 3723.4};
  CHECK(terminal_header(kOfTranslations).size() == 80);
  CHECK(terminal_text(line, kOfTranslations) ==
        "    1000    2.35  1:02:03           -         -                 -      -      -\n");
  line.window.add(update(1, 1), 0.25);
  line.validation = forward::Losses{.smoothed = 30, .negative_log_likelihood = 20, .tokens = 10};
  line.scores = Scores{{ValidationMetric::kBleu, 27.346}, {ValidationMetric::kChrf, 51.128}};
  CHECK(terminal_text(line, kOfTranslations) ==
        "    1000    2.35  1:02:03       2.718       400             7.389   27.3   51.1\n");
}

TEST_CASE("scores have columns of their own names", "[log]") {
  constexpr ValidationMetric kOfLabels[] = {ValidationMetric::kAccuracy, ValidationMetric::kF1};
  CHECK(log_header(kOfTranslations).ends_with("\tvalid_perplexity\tvalid_bleu\tvalid_chrf\n"));
  CHECK(log_header(kOfLabels).ends_with("\tvalid_perplexity\tvalid_accuracy\tvalid_f1\n"));
  LogLine line{.step = 5};
  line.validation = forward::Losses{.smoothed = 30, .negative_log_likelihood = 20, .tokens = 10};
  line.scores = {{ValidationMetric::kAccuracy, 87.5}, {ValidationMetric::kF1, 100}};
  CHECK(to_text(line, kOfLabels).ends_with("\t7.389\t87.50\t100.00\n"));
  CHECK(terminal_header(kOfLabels).ends_with("valid_perplexity   acc.     F1\n"));
  CHECK(terminal_text(line, kOfLabels).ends_with("7.389   87.5  100.0\n"));
  CHECK(to_text(line, {}).ends_with("\t7.389\n"));
}

TEST_CASE("a log begins with its header", "[log]") {
  const tests::Scratch scratch;
  Log log({.output = scratch.path("log"), .scores = kOfTranslations});
  log.write({.step = 7});
  log.close();
  CHECK(tests::Scratch::read(scratch.path("log")) ==
        log_header(kOfTranslations) + text_of({.step = 7}));
}

}  // namespace
}  // namespace awend::train
