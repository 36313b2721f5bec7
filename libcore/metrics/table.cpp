#include "metrics/table.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/utf8.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

// A table of rows of columns of lines; the first row is the heading.
using Lines = std::vector<std::string>;
using Rows = std::vector<std::vector<Lines>>;

constexpr double kSignificant = 0.05;

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, base::is_utf8_tail));
}

std::string flush_right(const std::string& text, std::size_t width) {
  return std::string(width - width_of(text), ' ') + text;
}

std::string centred(const std::string& text, std::size_t width) {
  const auto space = width - width_of(text);
  return std::string(space / 2, ' ') + text + std::string(space - space / 2, ' ');
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  while (times-- > 0) all += text;
  return all;
}

Lines lines_of(const Comparison& comparison, int digits) {
  auto score = fixed(comparison.score, digits);
  if (comparison.confidence) {
    score += base::concat(" (", fixed(comparison.confidence->mean, digits), " ± ",
                          fixed(comparison.confidence->half_width, digits), ")");
  }
  if (!comparison.p_value) return {score};
  return {score, base::concat("(p = ", fixed(*comparison.p_value, 4), ")",
                              *comparison.p_value < kSignificant ? "*" : " ")};
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

// The heading is at least so much narrower than its column.
std::vector<std::size_t> column_widths(const Rows& rows) {
  constexpr std::size_t kHeadingSpace = 2;
  std::vector<std::size_t> widths;
  for (const auto& heading : rows.front())
    widths.push_back(width_of(heading.front()) + kHeadingSpace);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const auto& line : row[i]) widths[i] = std::max(widths[i], width_of(line));
    }
  }
  return widths;
}

// "╞═════╪═════╡"
std::string rule(const std::vector<std::size_t>& widths, std::string_view left,
                 std::string_view dash, std::string_view cross, std::string_view right) {
  std::string line(left);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += (i == 0 ? "" : std::string(cross)) + repeated(dash, widths[i] + 2);
  }
  return line + std::string(right) + "\n";
}

std::string text_table(const Rows& rows) {
  const auto widths = column_widths(rows);
  auto text = rule(widths, "╒", "═", "╤", "╕");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == 1) text += rule(widths, "╞", "═", "╪", "╡");
    if (r > 1) text += rule(widths, "├", "─", "┼", "┤");
    const auto height = std::ranges::max_element(rows[r], {}, &Lines::size)->size();
    for (std::size_t h = 0; h < height; ++h) {
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto line = h < rows[r][i].size() ? rows[r][i][h] : "";
        text += "│ " + (i == 0 ? flush_right(line, widths[i]) : centred(line, widths[i])) + " ";
      }
      text += "│\n";
    }
  }
  return text + rule(widths, "╘", "═", "╧", "╛");
}

std::string latex_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped += {'\\', c};
        break;
      case '^':
        escaped += "\\^{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '<':
      case '>':
        escaped += base::concat("\\ensuremath{", c, "}");
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string latex_table(Rows rows) {
  for (auto& row : rows) {
    for (auto& lines : row) {
      for (; lines.size() > 1; lines.pop_back()) lines.front() += " " + lines[1];
    }
  }
  const auto widths = column_widths(rows);
  auto text = "\\begin{tabular}{r" + std::string(widths.size() - 1, 'c') + "}\n\\toprule\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == 1) text += "\\midrule\n";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto& cell = rows[r][i].front();
      text += i == 0 ? " " + latex_escaped(flush_right(cell, widths[i]))
                     : "& " + latex_escaped(centred(cell, widths[i]));
      text += " ";
    }
    text += "\\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string heading(const std::string& title) {
  const std::string line(title.size(), '-');
  return "\n" + line + "\n" + title + "\n" + line + "\n";
}

std::string about_test(const Sampling& test, const std::string& baseline) {
  const bool bootstrap = test.kind == Sampling::Kind::kBootstrap;
  auto text =
      heading(base::concat(bootstrap ? "Paired bootstrap, " : "Paired approximate randomization, ",
                           test.samples, " samples, seed ", test.seed));
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
  const auto number = [](std::optional<double> value) { return value ? shortest(*value) : "null"; };
  std::string objects;
  for (const auto& system : report.systems) {
    objects += objects.empty() ? "" : ",\n";
    objects += base::concat("    {\n        \"system\": ", json_string(system.name));
    for (std::size_t i = 0; i < report.metrics.size(); ++i) {
      const auto& [score, p_value, confidence] = system.scores[i];
      objects += base::concat(",\n        ", json_string(report.metrics[i]), ": ");
      if (!report.test) {
        objects += json_string(fixed(score, digits));
        continue;
      }
      std::optional<double> mean, half_width;
      if (confidence) mean = confidence->mean, half_width = confidence->half_width;
      objects += base::concat("{\n            \"score\": ", shortest(score),
                              ",\n            \"p_value\": ", number(p_value),
                              ",\n            \"mean\": ", number(mean),
                              ",\n            \"ci\": ", number(half_width), "\n        }");
    }
    objects += "\n    }";
  }
  return "[\n" + objects + "\n]\n";
}

}  // namespace awend::metrics
