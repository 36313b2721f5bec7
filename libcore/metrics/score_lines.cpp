#include "metrics/score_lines.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/json.hpp"
#include "metrics/numbers.hpp"
#include "metrics/table_layout.hpp"

namespace awend::metrics {
namespace {

// A name within its field.
std::string field(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return name;
}

std::string number(std::optional<double> value) {
  return value ? shortest(*value) : "-";
}

struct ScoreLine {
  std::string system, metric, length;
  std::uint64_t lines;
  Comparison comparison;
};

std::string text_of(const ScoreLine& line) {
  const auto& comparison = line.comparison;
  std::optional<double> mean, half_width;
  if (comparison.confidence) {
    mean = comparison.confidence->mean;
    half_width = comparison.confidence->half_width;
  }
  return base::concat(field(line.system), "\t", line.metric, "\t", line.length, "\t", line.lines,
                      "\t", shortest(comparison.score), "\t", number(mean), "\t",
                      number(half_width), "\t", number(comparison.p_value), "\n");
}

}  // namespace

std::string score_lines(const SystemsReport& report, std::uint64_t lines) {
  std::string out = base::concat(kScoreColumns, "\n");
  for (std::size_t m = 0; m < report.metrics.size(); ++m) {
    for (const auto& system : report.systems)
      out += text_of({system.name, report.metrics[m], "all", lines, system.scores[m]});
  }
  return out;
}

std::string score_lines(const SystemsReport& report, const std::vector<LengthGroup>& groups) {
  std::string out = base::concat(kScoreColumns, "\n");
  const auto systems = report.systems.size();
  for (std::size_t m = 0; m < report.metrics.size(); ++m) {
    for (const auto& group : groups) {
      for (std::size_t s = 0; s < systems; ++s) {
        out += text_of({report.systems[s].name,
                        report.metrics[m],
                        group.name(),
                        group.segments,
                        {.score = group.scores[m * systems + s]}});
      }
    }
  }
  return out;
}

std::string length_table(const SystemsReport& report, const std::vector<LengthGroup>& groups,
                         int digits) {
  Rows rows(1, {{"Length"}, {"Lines"}});
  for (const auto& metric : report.metrics) {
    for (const auto& system : report.systems)
      rows.front().push_back(report.systems.size() == 1 ? Lines{metric}
                                                        : Lines{metric, system.name});
  }
  for (const auto& group : groups) {
    auto& row = rows.emplace_back();
    row.push_back({group.name()});
    row.push_back({base::concat(group.segments)});
    for (const auto score : group.scores) row.push_back({fixed(score, digits)});
  }
  return text_table(rows);
}

std::string length_json(const SystemsReport& report, const std::vector<LengthGroup>& groups,
                        int digits) {
  constexpr base::JsonStyle kGroup = {"    {\n        ", ",\n        ", ": ", "\n    }"};
  constexpr base::JsonStyle kSystems = {"[\n            ", ",\n            ", "", "\n        ]"};
  const auto systems = report.systems.size();
  std::vector<std::string> objects;
  for (const auto& group : groups) {
    std::vector<std::string> scores;
    for (std::size_t s = 0; s < systems; ++s) {
      base::JsonObject object(base::kSpacedObject);
      object.text("system", report.systems[s].name);
      for (std::size_t m = 0; m < report.metrics.size(); ++m)
        object.value(report.metrics[m], fixed(group.scores[m * systems + s], digits));
      scores.push_back(object.str());
    }
    base::JsonObject object(kGroup);
    object.text("length", group.name()).count("lines", group.segments);
    objects.push_back(object.value("systems", base::json_values(scores, kSystems)).str());
  }
  return base::json_values(objects, kObjectLines);
}

}  // namespace awend::metrics
