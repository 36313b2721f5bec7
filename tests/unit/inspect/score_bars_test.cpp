// Bars of scores, and invalid lines.
#include "inspect/score_bars.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::tools;
using awend::tests::message_of;
using awend::tests::Scratch;

constexpr std::string_view kHead =
    "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value\n";

std::vector<ScoreLine> read(std::string_view text) {
  const Scratch scratch;
  awend::base::LineReader lines(scratch.write("scores", text));
  return read_scores(lines);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The heading, and these lines.
std::string table(std::string_view lines) {
  return awend::base::concat(kHead, lines);
}

TEST_CASE("scores are read, headings between them passed over") {
  const auto scores = read(awend::base::concat(kHead, "a\tBLEU\tall\t7\t27.5\t27\t1.5\t-\n", kHead,
                                               "b\tTER\t0-9\t3\t60\t-\t-\t0.01\n"));
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].score == 27.5);
  CHECK(scores[0].interval == 1.5);
  CHECK_FALSE(scores[0].p_value);
  CHECK(scores[1].length == "0-9");
  CHECK(scores[1].lines == 3);
  CHECK(scores[1].p_value == 0.01);
  const auto complaint = [](std::string_view text) {
    const auto message = message_of([&] { read(text); });
    return message.substr(message.find("scores:"));
  };
  CHECK(complaint("") == "scores:1: not scores: expected the columns of score --format tsv");
  CHECK(complaint(kHead) == "scores:1: no scores");
  CHECK(complaint(table("a\tb\n")) == "scores:2: expected 8 tab-separated fields, found 2");
  CHECK(complaint(table("a\tb\tall\tx\t1\t-\t-\t-\n")) == "scores:2: 'x' is not a number of lines");
  for (const std::string_view bad : {"x", "", "-", "inf", "nan", "1e99", "1 "}) {
    CHECK(complaint(awend::base::concat(kHead, "a\tb\tall\t1\t", bad, "\t-\t-\t-\n")) ==
          awend::base::concat("scores:2: '", bad, "' is not a score"));
  }
}

TEST_CASE("a bar for each score, with its interval and what it is") {
  const auto svg =
      score_bars_svg(read(table("one & two\tBLEU\tall\t7\t20\t21\t2\t-\n"
                                "b\tBLEU\tall\t7\t40\t40\t2\t0.01\n"
                                "b\tTER\tall\t7\t60\t-\t-\t0.5\n")));
  CHECK(count(svg, "class=\"title\"") == 2);
  CHECK(count(svg, "class=\"bar f") == 2 + 3);  // the legend's, too
  CHECK(count(svg, "class=\"mark f") == 2 + 3);
  CHECK(count(svg, "class=\"whisker\"") == 2 * 3);  // a line and its ends
  CHECK(count(svg, "<title>Scores of one &amp; two, b</title>") == 1);
  CHECK(count(svg,
              "<desc>BLEU, one &amp; two: 20.0 ± 2.0; BLEU, b: 40.0 ± 2.0 (p &lt; 0.05); "
              "TER, b: 60.0</desc>") == 1);
  CHECK(count(svg, ">one &amp; two<") == 1);
  CHECK(count(svg, ">40.0*<") == 1);
  CHECK(count(svg, ">60.0<") == 1);
  CHECK(count(svg, ">60.0*<") == 0);
  CHECK(count(svg, ">words<") == 0);
  // Twice the score is twice as high.  The panel is 210 high, and its axis ends at 45.
  const auto height_after = [&](std::string_view color, int which) {
    std::size_t at = 0;
    for (int i = 0; i <= which; ++i) at = svg.find(color, at + 1);
    const auto begin = svg.rfind("height=\"", at) + 8;
    return std::stod(svg.substr(begin));
  };
  CHECK(height_after("class=\"bar f1", 1) ==
        Approx(2 * height_after("class=\"bar f0", 1)).margin(0.2));
}

TEST_CASE("groups of lengths have their names and lines") {
  const auto svg =
      score_bars_svg(read(table("a\tBLEU\t0-9\t7\t20\t-\t-\t-\n"
                                "a\tBLEU\t10-\t3\t10\t-\t-\t-\n")));
  CHECK(count(svg, ">0-9<") == 1);
  CHECK(count(svg, ">3 lines<") == 1);
  CHECK(count(svg, ">words<") == 1);
  CHECK(count(svg, "BLEU of 0-9 words, a: 20.0; ") == 1);
}

TEST_CASE("what no picture can show is refused") {
  std::vector<ScoreLine> scores;
  for (int i = 0; i < 65; ++i) scores.emplace_back().system = std::to_string(i);
  CHECK(message_of([&] {
          score_bars_svg(scores);
        }).starts_with("too many bars to draw: more than 64 systems"));
}

}  // namespace
