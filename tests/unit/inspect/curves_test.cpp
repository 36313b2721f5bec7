// Curves as an SVG file: which points are drawn, and that the file is whole.
#include "inspect/curves.hpp"

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "inspect/svg.hpp"
#include "tests/catch.hpp"

namespace awend::tools {
namespace {

RunLog log_named(const std::string& name) {
  return {name,
          {"step", "epoch", "seconds", "loss", "perplexity", "valid_bleu"},
          {{10, 0.5, 60, 3, 0, NAN}, {20, 1, 120, 2, 7, 25}, {30, 1.5, 7200, INFINITY, 5, 30}}};
}

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_CASE("points are what is known and has a place on the scale", "[curves]") {
  const auto log = log_named("a");
  CHECK(points_of(log, "step", "loss", Scale::kLinear) == Points{{10, 3}, {20, 2}});
  CHECK(points_of(log, "epoch", "perplexity", Scale::kLogarithmic) == Points{{1, 7}, {1.5, 5}});
  CHECK(points_of(log, "step", "valid_chrf", Scale::kLinear).empty());
}

TEST_CASE("many points become the means of buckets", "[curves]") {
  Points points;
  for (int i = 0; i <= 1000; ++i) points.emplace_back(i, i % 2 == 0 ? 1 : 3);
  const auto few = thinned(points, 10);
  CHECK(few.size() == 11);  // the last point is a separate bucket
  CHECK(few[0].second == Approx(2));
  CHECK(few[3].first == Approx(349.5));
  CHECK(thinned(points, 2000) == points);
}

TEST_CASE("an SVG file has a panel for each quantity, and a color for each run", "[curves]") {
  const auto svg = curves_svg({log_named("a"), log_named("<b> & \x01")}, Over::kSeconds);
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count_of(svg, "class=\"title\"") == 3);  // loss, perplexity, BLEU
  CHECK(svg.find("&lt;b&gt; &amp; \xEF\xBF\xBD<") != svg.npos);
  CHECK(svg.find("minutes") != svg.npos);
  CHECK(svg.find("30 at 30<") != svg.npos);
  CHECK(svg.find("nan") == svg.npos);
  CHECK(svg.find("inf") == svg.npos);
  CHECK(svg.find("class=\"validation s1\"") != svg.npos);
  CHECK(count_of(svg, "://") == 1);
  CHECK(svg.find("role=\"img\"") != svg.npos);
  CHECK(svg.find("<title>Training of a, &lt;b&gt; &amp; \xEF\xBF\xBD</title>") != svg.npos);
  CHECK(svg.find("<desc>a: updates 30, time 2:00:00, lowest validation perplexity -, highest BLEU "
                 "30 at 30; ") != svg.npos);
}

TEST_CASE("marks of equal curves do not hide each other", "[curves]") {
  RunLog log{"a", {"step", "rate"}, {}};
  for (int i = 1; i <= 100; ++i) log.rows.push_back({double(i), 1.0 / i});
  const auto svg = curves_svg({log, log, log}, Over::kStep);
  std::set<std::string> places;
  std::size_t marks = 0;
  for (auto at = svg.find("<path d=\"M"); at != svg.npos; at = svg.find("<path d=\"M", at + 1)) {
    const auto element = svg.substr(at, svg.find("/>", at) - at);
    if (element.find("class=\"mark") == element.npos) continue;
    places.insert(element.substr(0, element.find('m', 10)));
    ++marks;
  }
  CHECK(places.size() == marks);
  CHECK(marks >= 3 + 3 * 10);  // the legend's, too
  CHECK(marks <= 3 + 3 * 16);
}

TEST_CASE("the legend compares perplexities, which do not depend on label smoothing", "[curves]") {
  const RunLog log{
      "a", {"step", "valid_loss", "valid_perplexity"}, {{10, 5.087, 107.1}, {20, 5.2, 105.9}}};
  const auto svg = curves_svg({log}, Over::kStep);
  CHECK(svg.find(">lowest validation perplexity<") != svg.npos);
  CHECK(svg.find(">105.9 at 20<") != svg.npos);
}

TEST_CASE("64 series have different marks", "[svg]") {
  std::set<std::string> marks;
  for (std::size_t series = 0; series < 64; ++series) marks.insert(svg_mark({0, 0}, series));
  CHECK(marks.size() == 64);
}

TEST_CASE("scores have their own names", "[curves]") {
  const RunLog labels{"labels",
                      {"step", "valid_loss", "valid_accuracy", "valid_f1"},
                      {{10, 3, 80, 70}, {20, 2, 90.5, 85}}};
  const auto svg = curves_svg({labels}, Over::kStep);
  CHECK(svg.find(">Predictions for the validation text<") != svg.npos);
  CHECK(svg.find(">accuracy<") != svg.npos);
  CHECK(svg.find(">F1<") != svg.npos);
  CHECK(svg.find(">highest accuracy<") != svg.npos);
  CHECK(svg.find(">90.5 at 20<") != svg.npos);
  CHECK(svg.find("BLEU") == svg.npos);
  const auto both = curves_svg({labels, log_named("translator")}, Over::kStep);
  CHECK(both.find(">highest BLEU<") != both.npos);
  CHECK(both.find(">accuracy<") != both.npos);
}

TEST_CASE("a run of one line is a dot", "[curves]") {
  const auto svg = curves_svg({{"a", {"step", "loss"}, {{0, 5}}}}, Over::kStep);
  CHECK(count_of(svg, "class=\"mark f0\"") == 2);  // the legend's, too
  CHECK(svg.find("nan") == svg.npos);
  CHECK(curves_svg({{"a", {"step"}, {{0}}}}, Over::kEpoch).find("nan") == svg.npos);
}

TEST_CASE("coordinates are short", "[svg]") {
  CHECK(coordinate(1.04) == "1");
  CHECK(coordinate(-0.01) == "0");
  CHECK(coordinate(123.46) == "123.5");
}

}  // namespace
}  // namespace awend::tools
