// The log file of a run that was interrupted, killed, and started in a file of another run.
#include "train/log_file.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "train/log.hpp"

namespace awend::train {
namespace {

using tests::message_of;
using tests::Scratch;

constexpr ValidationMetric kScores[] = {ValidationMetric::kBleu, ValidationMetric::kChrf};

std::string header() {
  return log_header(kScores);
}

std::string row(std::uint64_t step) {
  return to_text({.step = step}, kScores);
}

void add_steps(const std::string& path, std::uint64_t first_step, std::uint64_t last) {
  const auto file = open_log_file(path, header(), {.step = first_step}).output;
  for (auto step = first_step + 1; step <= last; ++step) file->write(row(step));
  file->commit();
}

std::string lines(std::uint64_t first, std::uint64_t last) {
  std::string text;
  for (auto step = first; step <= last; ++step) text += row(step);
  return text;
}

TEST_CASE("a run that resumes replaces the lines that it writes again", "[log]") {
  const Scratch scratch;
  const auto path = scratch.path("log.tsv");
  add_steps(path, 0, 5);
  CHECK(Scratch::read(path) == header() + lines(1, 5));
  add_steps(path, 3, 7);
  CHECK(Scratch::read(path) == header() + lines(1, 7));
  add_steps(path, 7, 7);
  CHECK(Scratch::read(path) == header() + lines(1, 7));
}

TEST_CASE("a truncated line is removed", "[log]") {
  const Scratch scratch;
  const auto whole = header() + lines(1, 3);
  for (const std::size_t missing : {1, 5, 12}) {
    const auto path = scratch.write("log.tsv", whole.substr(0, whole.size() - missing));
    add_steps(path, 2, 4);
    CHECK(Scratch::read(path) == header() + lines(1, 4));
  }
  const auto path = scratch.write("log.tsv", header().substr(0, 20));
  add_steps(path, 2, 4);
  CHECK(Scratch::read(path) == header() + lines(3, 4));
}

TEST_CASE("a new run keeps the lines of older ones", "[log]") {
  const Scratch scratch;
  const auto path = scratch.path("log.tsv");
  add_steps(path, 0, 9);
  add_steps(path, 0, 4);
  CHECK(Scratch::read(path) == header() + lines(1, 9) + header() + lines(1, 4));
  add_steps(path, 2, 5);
  CHECK(Scratch::read(path) == header() + lines(1, 9) + header() + lines(1, 5));
}

TEST_CASE("a run that resumes after another one has written there keeps its lines", "[log]") {
  const Scratch scratch;
  const auto path = scratch.path("log.tsv");
  add_steps(path, 0, 4);
  const auto second = header().size() + lines(1, 4).size();
  CHECK(open_log_file(path, header(), {}).begin == second);
  add_steps(path, 0, 8);
  const auto both = header() + lines(1, 4) + header() + header() + lines(1, 8);
  CHECK(last_logged_step(path, {.step = 4, .begin = 0}) == std::nullopt);
  const auto first = open_log_file(path, header(), {.step = 4, .begin = 0});
  CHECK(first.begin == both.size());
  CHECK(first.last_step == 0);
  first.output->write(row(5));
  first.output->commit();
  CHECK(Scratch::read(path) == both + header() + lines(5, 5));
  // Its table is the last one now.
  CHECK(last_logged_step(path, {.step = 6, .begin = both.size()}) == 5);
  const auto again = open_log_file(path, header(), {.step = 5, .begin = both.size()});
  CHECK(again.begin == both.size());
  CHECK(again.last_step == 5);
  CHECK(last_logged_step(scratch.path("none"), {.step = 1}) == std::nullopt);
  CHECK(last_logged_step("/dev/null", {.step = 1}) == std::nullopt);
}

TEST_CASE("a log of another run in a file of the same name is kept", "[log]") {
  const Scratch scratch;
  const auto path = scratch.path("log.tsv");
  add_steps(path, 0, 8);
  const auto all = header() + lines(1, 8);
  CHECK(open_log_file(path, header(), {.step = 8, .begin = 0}).first_line == line_checksum(row(1)));
  CHECK(last_logged_step(path, {8, 0, line_checksum(row(1))}) == 8);
  const LogPlace other{4, 0, line_checksum("1\tof another run\n")};
  CHECK(last_logged_step(path, other) == std::nullopt);
  CHECK(open_log_file(path, header(), other).begin == all.size());
  CHECK(Scratch::read(path) == all + header());
}

TEST_CASE("columns with other names get a header", "[log]") {
  const Scratch scratch;
  constexpr ValidationMetric kAccuracies[] = {ValidationMetric::kAccuracy,
                                              ValidationMetric::kNextSentenceAccuracy};
  const auto present = log_header(kAccuracies);
  const auto path = scratch.path("log.tsv");
  add_steps(path, 0, 5);
  open_log_file(path, present, {.step = 3}).output->write(row(4));
  CHECK(Scratch::read(path) == header() + lines(1, 3) + present + lines(4, 4));
  open_log_file(path, present, {.step = 4}).output->write(row(5));
  CHECK(Scratch::read(path) == header() + lines(1, 3) + present + lines(4, 5));
}

TEST_CASE("a file that is not a log is not changed", "[log]") {
  const Scratch scratch;
  const auto path = scratch.write("thesis.tex", "years of work\n");
  CHECK(message_of([&] { open_log_file(path, header(), {}); }) == path + ": is not a log of train");
  CHECK(Scratch::read(path) == "years of work\n");
  const auto missing = scratch.path("nonexistent/log");
  CHECK(message_of([&] { open_log_file(missing, header(), {}); }) ==
        missing + ": No such file or directory");
  open_log_file("/dev/null", header(), {}).output->commit();
  open_log_file(scratch.write("empty", ""), header(), {}).output->commit();
  CHECK(Scratch::read(scratch.path("empty")) == header());
}

}  // namespace
}  // namespace awend::train
