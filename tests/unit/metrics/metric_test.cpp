// Scores of lists of lines: those that the program score prints for files.
#include "metrics/metric.hpp"

#include "base/format.hpp"
#include "metrics/bleu/bleu.hpp"
#include "metrics/chrf/chrf.hpp"
#include "metrics/ter/ter.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"

namespace awend::metrics {
namespace {

using Lines = std::vector<std::string>;

const Lines kHypotheses = {"The dog runs fast .", "", "a  b c d e\r", "no\xC2\xA0"},
            kFirst = {"the dog runs very fast.", "x", "a b c e d", "no"},
            kSecond = {"The dogs run fast .", "", "a c d e", "yes"};

/// What the program prints for the metric, without other text.
std::string printed(const std::string& metric, const std::string& references) {
  const tests::Scratch scratch;
  const auto write = [&](const char* name, const Lines& lines) {
    scratch.write(name, base::join(lines, "\n") + "\n");
  };
  write("h", kHypotheses);
  write("first", kFirst);
  write("second", kSecond);
  auto text = tests::output_of("cd '" + scratch.folder() + "' && " + tests::program("score") +
                               " -q -b -w 6 -m " + metric + " " + references + " < h");
  text.pop_back();
  return text;
}

template <class References>
std::string scored(const Metric& metric, const References& references) {
  return base::fixed(metric.score(kHypotheses, references).value, 6);
}

}  // namespace

TEST_CASE("lists of lines have the scores of files") {
  const std::vector<Lines> both = {kFirst, kSecond};
  CHECK(scored(Bleu(), kFirst) == printed("bleu", "first"));
  CHECK(scored(Chrf(), kFirst) == printed("chrf", "first"));
  CHECK(scored(Ter(), kFirst) == printed("ter", "first"));
  CHECK(scored(Bleu(), both) == printed("bleu", "first second"));
  CHECK(scored(Chrf(), both) == printed("chrf", "first second"));
  CHECK(scored(Ter(), both) == printed("ter", "first second"));
}

TEST_CASE("lists of different lengths are an error") {
  const Lines one = {"a"};
  CHECK(tests::message_of([&] { Bleu().score(kHypotheses, one); }) ==
        "4 hypotheses, but 1 references");
  CHECK(tests::message_of([&] { Ter().score(one, std::vector<Lines>()); }) ==
        "no references are given");
}

}  // namespace awend::metrics
