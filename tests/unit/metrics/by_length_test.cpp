// Groups of lengths, by hand.
#include "metrics/by_length.hpp"

#include "metrics/bleu/bleu.hpp"
#include "metrics/python_space.hpp"
#include "metrics/score_lines.hpp"
#include "metrics/ter/ter.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/metrics/corpus.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;

const Strings kReferences = {"a b c d", "a b", "a b c d e f g", "x"};
const Strings kFirst = {"a b c d", "a c", "a b c d e f h", "y"};
const Strings kSecond = {"a b c", "a b", "a b c d e f g", "x"};

Metrics metrics_of_test() {
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>());
  metrics.push_back(std::make_unique<Ter>());
  metrics.push_back(std::make_unique<SegmentLength>(SegmentLength::Of::kReference));
  return metrics;
}

CorpusStatistics statistics_of(const Metrics& metrics) {
  const auto text = [](const Strings& lines) {
    std::string all;
    for (const auto& line : lines) all += line + "\n";
    return all;
  };
  const Scratch scratch;
  CorpusReader reader(
      {.systems = {scratch.write("a", text(kFirst)), scratch.write("b", text(kSecond))},
       .references = {scratch.write("r", text(kReferences))}});
  return measure_corpus(reader, metrics, {}, CorpusStatistics::Keep::kRows);
}

TEST_CASE("segments are grouped by length, each group scored by itself") {
  const auto metrics = metrics_of_test();
  const auto statistics = statistics_of(metrics);
  const auto& lengths = statistics.rows[statistics.place(2, 0)];
  CHECK(lengths == std::vector<std::int64_t>{4, 2, 7, 1});
  const auto scored = std::span(metrics).first(2);
  const auto groups = by_length(statistics, scored, lengths, std::vector<std::int64_t>{3, 5, 9});
  REQUIRE(groups.size() == 3);  // none of at least nine words
  CHECK(groups[0].name() == "0-2");
  CHECK(groups[1].name() == "3-4");
  CHECK(groups[2].name() == "5-8");
  CHECK(groups[0].segments == 2);
  CHECK(groups[1].segments == 1);
  const auto score = [](const Metric& metric, const Strings& hypotheses,
                        const Strings& references) {
    return score_of(metric, hypotheses, {references});
  };
  CHECK(groups[0].scores[statistics.place(1, 0)] ==
        score(Ter(), {kFirst[1], kFirst[3]}, {kReferences[1], kReferences[3]}));
  CHECK(groups[2].scores[statistics.place(0, 0)] == score(Bleu(), {kFirst[2]}, {kReferences[2]}));
  CHECK(groups[2].scores[statistics.place(0, 1)] == score(Bleu(), {kSecond[2]}, {kReferences[2]}));
  CHECK(groups[1].scores[statistics.place(0, 0)] == Approx(100));
  CHECK(by_length(statistics, scored, lengths, {}).front().name() == "0-");
}

TEST_CASE("lengths are words between white space") {
  CHECK(count_words("") == 0);
  CHECK(count_words(" a\u3000b\tc, ") == 3);
}

TEST_CASE("scores are lines, a table and JSON") {
  SystemsReport report;
  report.metrics = {"BLEU", "TER"};
  report.systems = {
      {"a\tb",
       {{.score = 27.5, .p_value = {}, .confidence = Confidence{27.25, 1.5}}, {.score = 60}}},
      {"c", {{.score = 30, .p_value = 0.01, .confidence = {}}, {.score = 50}}}};
  CHECK(score_lines(report, 7) ==
        "system\tmetric\tlength\tlines\tscore\tmean\tinterval\tp_value\n"
        "a b\tBLEU\tall\t7\t27.5\t27.25\t1.5\t-\n"
        "c\tBLEU\tall\t7\t30.0\t-\t-\t0.01\n"
        "a b\tTER\tall\t7\t60.0\t-\t-\t-\n"
        "c\tTER\tall\t7\t50.0\t-\t-\t-\n");
  const std::vector<LengthGroup> groups = {{0, 9, 3, {1, 2, 3, 4}}, {10, {}, 4, {5, 6, 7, 8}}};
  CHECK(score_lines(report, groups).ends_with("c\tTER\t10-\t4\t8.0\t-\t-\t-\n"));
  CHECK(length_json(report, groups, 1)
            .starts_with("[\n    {\n        \"length\": \"0-9\",\n        \"lines\": 3,\n        "
                         "\"systems\": [\n"
                         "            {\"system\": \"a\\tb\", \"BLEU\": 1.0, \"TER\": 3.0},\n"));
  const auto table = length_table(report, groups, 2);
  CHECK(table.find("0-9") != table.npos);
  CHECK(table.find("8.00") != table.npos);
}

}  // namespace
