// Logs of train read back: those of older versions, of resumed runs, and other files.
#include "inspect/run_log.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "train/log.hpp"

namespace awend::tools {
namespace {

constexpr train::ValidationMetric kScores[] = {train::ValidationMetric::kBleu,
                                               train::ValidationMetric::kChrf};

RunLog log_of(const tests::Scratch& scratch, const std::string& text) {
  base::LineReader lines(scratch.write("log", text));
  return read_log(lines);
}

std::string message_of(const std::string& text) {
  const tests::Scratch scratch;
  const auto message = tests::message_of([&] { log_of(scratch, text); });
  return message.substr(std::min(message.size(), scratch.folder().size() + 1));
}

TEST_CASE("what train writes is read", "[log]") {
  const tests::Scratch scratch;
  train::LogLine line{.step = 50, .epochs = 1.25, .seconds = 12.5, .rate = 0.001};
  line.scores = {{kScores[0], 27.5}, {kScores[1], 51}};
  const auto log = log_of(scratch, train::log_header(kScores) + train::to_text(line, kScores));
  REQUIRE(log.rows.size() == 1);
  CHECK(log.rows[0][log.column("step")] == 50);
  CHECK(log.rows[0][log.column("valid_chrf")] == 51);
  CHECK(std::isnan(log.rows[0][log.column("loss")]));
  CHECK(log.column("nothing") == log.columns.size());
}

TEST_CASE("a resumed run replaces the lines of repeated steps", "[log]") {
  const tests::Scratch scratch;
  const auto log = log_of(
      scratch,
      "step\tloss\n50\t5\n100\t4\n150\t3\nstep\tloss\tvalid_bleu\n100\t4.5\t-\n150\t2\t30\n");
  REQUIRE(log.rows.size() == 3);
  CHECK(log.rows[1][1] == 4.5);
  CHECK(log.rows[2][1] == 2);
  CHECK(std::isnan(log.rows[0][log.column("valid_bleu")]));
  CHECK(log.rows[2][log.column("valid_bleu")] == 30);
}

TEST_CASE("other files are refused with their line", "[log]") {
  CHECK(message_of("") == "log: not a log of train: empty file");
  CHECK(message_of("BLEU = 27.3\n") == "log: not a log of train: no line begins with 'step'");
  CHECK(message_of("step\tloss\n") == "log: no rows to plot yet");
  CHECK(message_of("step\tloss\n1\t2\t3\n") == "log:2: 3 columns, but the header has 2");
  CHECK(message_of("step\tloss\n1\tx\n") == "log:2: 'x' is not a number");
  CHECK(message_of("step\tloss\n-\t1\n") == "log:2: '-' is not a step");
  CHECK(message_of("step\tloss\tloss\n") == "log:1: duplicate column 'loss'");
}

}  // namespace
}  // namespace awend::tools
