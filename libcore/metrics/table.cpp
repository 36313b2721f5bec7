#include "metrics/table.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/json.hpp"
#include "metrics/numbers.hpp"
#include "metrics/table_layout.hpp"

namespace awend::metrics {
namespace {

constexpr double kSignificant = 0.05;

Lines lines_of(const Comparison& comparison, int digits) {
  auto score = fixed(comparison.score, digits);
  if (comparison.confidence) {
    score += base::concat(" (", fixed(comparison.confidence->mean, digits), " ± ",
                          fixed(comparison.confidence->half_width, digits), ")");
  }
  if (!comparison.p_value) return {score};
  const bool is_significant = *comparison.p_value < kSignificant && !comparison.is_equal;
  return {score,
          base::concat("(p = ", fixed(*comparison.p_value, 4), ")", is_significant ? "*" : "")};
}

Rows rows_of(const SystemsReport& report, int digits) {
  const bool intervals = report.test && report.test->kind == Sampling::Kind::kBootstrap;
  Rows rows(1, {{"System"}});
  for (const auto& metric : report.metrics)
    rows.front().push_back({metric + (intervals ? " (μ ± 95% CI)" : "")});
  for (const auto& system : report.systems) {
    rows.push_back({{system.name}});
    for (const auto& score : system.scores) rows.back().push_back(lines_of(score, digits));
  }
  return rows;
}

std::string heading(const std::string& title) {
  const std::string line(title.size(), '-');
  return "\n" + line + "\n" + title + "\n" + line + "\n";
}

std::string about_test(const Sampling& test, const std::string& baseline) {
  const bool bootstrap = test.kind == Sampling::Kind::kBootstrap;
  auto text =
      heading(base::concat(bootstrap ? "Paired bootstrap, " : "Paired approximate randomization, ",
                           test.samples, " samples, seed ", seed_of(test)));
  text += " - " + baseline + " is what every other system is compared with.\n";
  if (bootstrap) {
    text +=
        " - In brackets behind a score: the mean over the samples, and the interval that holds "
        "95 % of them.\n";
  }
  return text +
         " - p is how often chance alone would set two equally good systems as far apart as "
         "these.\n"
         " - * marks p < 0.05. It says that a difference is there, not that it matters.\n";
}

}  // namespace

std::string table_of(const SystemsReport& report, TableStyle table, const TextStyle& text) {
  const auto rows = rows_of(report, text.digits);
  auto out = table == TableStyle::kText ? text_table(rows) : latex_table(rows);
  if (report.test) out += about_test(*report.test, report.systems.front().name);
  out += heading("Metric signatures");
  for (std::size_t i = 0; i < report.metrics.size(); ++i) {
    constexpr std::size_t kNameWidth = 10;
    auto name = report.metrics[i];
    name.resize(std::max(name.size(), kNameWidth), ' ');
    out += base::concat(" - ", name, " ", text_of(report.signatures[i], text.signature), "\n");
  }
  return out;
}

std::string json_of(const SystemsReport& report, int digits) {
  constexpr base::JsonStyle kSystem = {"    {\n        ", ",\n        ", ": ", "\n    }"};
  constexpr base::JsonStyle kScore = {"{\n            ", ",\n            ", ": ", "\n        }"};
  const auto number = [](std::optional<double> value) {
    return value ? json_number(*value) : "null";
  };
  std::vector<std::string> objects;
  for (const auto& system : report.systems) {
    base::JsonObject object(kSystem);
    object.text("system", system.name);
    for (std::size_t i = 0; i < report.metrics.size(); ++i) {
      const auto& [score, p_value, confidence, is_equal] = system.scores[i];
      if (!report.test) {
        object.text(report.metrics[i], fixed(score, digits));
        continue;
      }
      std::optional<double> mean, half_width;
      if (confidence) mean = confidence->mean, half_width = confidence->half_width;
      base::JsonObject tested(kScore);
      tested.value("score", json_number(score)).value("p_value", number(p_value));
      tested.value("mean", number(mean)).value("ci", number(half_width));
      object.value(report.metrics[i], tested.str());
    }
    objects.push_back(object.str());
  }
  return base::json_values(objects, kObjectLines);
}

}  // namespace awend::metrics
