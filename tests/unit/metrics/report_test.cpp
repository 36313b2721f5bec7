// What is printed, where sacreBLEU's cases (tests/cli/score_cases_test.cpp) do not come.
#include "metrics/report.hpp"

#include <cmath>

#include "metrics/table.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

const Signature kSignature = {{"nrefs", "#", "var"}, {"case", "c", "lc"}};

TEST_CASE("lines are aligned at their signs") {
  const std::vector<Result> results = {{"BLEU", {12.34, "details"}, kSignature, {}},
                                       {"chrF2++", {5, {}}, kSignature, Confidence{1, 2}}};
  CHECK(lines_of(results, {.digits = 2}) ==
        "   BLEU|nrefs:var|case:lc = 12.34 details\n"
        "chrF2++|nrefs:var|case:lc = 5.00 (μ = 1.00 ± 2.00)\n");
  CHECK(lines_of(results, {.digits = 0, .detail = Detail::kScoreOnly}) == "12\n5 (μ = 1 ± 2)\n");
}

TEST_CASE("names are escaped for LaTeX, and marks of significance follow scores") {
  const SystemsReport report{.metrics = {"TER"},
                             .signatures = {kSignature},
                             .systems = {{"a_1", {{50, {}, {}}}}, {"ä", {{49.96, 0.04, {}}}}},
                             .test = Sampling{Sampling::Kind::kRandomization, 10, 1}};
  CHECK(table_of(report, TableStyle::kLatex, {})
            .starts_with("\\begin{tabular}{rc}\n"
                         "\\toprule\n"
                         "   System &        TER         \\\\\n"
                         "\\midrule\n"
                         "      a\\_1 &        50.0        \\\\\n"
                         "        ä & 50.0 (p = 0.0400)* \\\\\n"
                         "\\bottomrule\n"));
  CHECK(table_of(report, TableStyle::kText, {})
            .starts_with("╒══════════╤═══════════════╕\n"
                         "│   System │      TER      │\n"
                         "╞══════════╪═══════════════╡\n"
                         "│      a_1 │     50.0      │\n"
                         "├──────────┼───────────────┤\n"
                         "│        ä │     50.0      │\n"
                         "│          │ (p = 0.0400)* │\n"
                         "╘══════════╧═══════════════╛\n"));
}

TEST_CASE("equal scores are not marked as significant") {
  const SystemsReport report{.metrics = {"TER"},
                             .signatures = {kSignature},
                             .systems = {{"a", {{.score = 50}}},
                                         {"b", {{.score = 50, .p_value = 0.01, .is_equal = true}}}},
                             .test = Sampling{Sampling::Kind::kRandomization, 99, 1}};
  CHECK(table_of(report, TableStyle::kText, {}).find("│ (p = 0.0100) │") != std::string::npos);
}

TEST_CASE("numbers that JSON does not have are null") {
  const std::vector<Result> results = {{"COMET", {std::nan(""), {}}, kSignature, {}}};
  CHECK(json_of(results, 1).find("\"score\": null,") != std::string::npos);
}

}  // namespace
