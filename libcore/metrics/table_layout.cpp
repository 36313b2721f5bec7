#include "metrics/table_layout.hpp"

#include <algorithm>
#include <string_view>

#include "base/concat.hpp"
#include "text/characters.hpp"

namespace awend::metrics {
namespace {

std::string flush_right(const std::string& text, std::size_t width) {
  return std::string(width - text::count_columns(text), ' ') + text;
}

std::string centered(const std::string& text, std::size_t width) {
  const auto space = width - text::count_columns(text);
  return std::string(space / 2, ' ') + text + std::string(space - space / 2, ' ');
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  while (times-- > 0) all += text;
  return all;
}

// The difference between the minimum widths of a column and its heading.
std::vector<std::size_t> column_widths(const Rows& rows) {
  constexpr std::size_t kHeadingSpace = 2;
  std::vector<std::size_t> widths;
  for (const auto& heading : rows.front())
    widths.push_back(text::count_columns(heading.front()) + kHeadingSpace);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const auto& line : row[i]) widths[i] = std::max(widths[i], text::count_columns(line));
    }
  }
  return widths;
}

// "╞═════╪═════╡"
struct Rule {
  std::string left, dash, cross, right;
};

std::string rule(const std::vector<std::size_t>& widths, const Rule& characters) {
  std::string line = characters.left;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += (i == 0 ? "" : characters.cross) + repeated(characters.dash, widths[i] + 2);
  }
  return line + characters.right + "\n";
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

}  // namespace

std::string text_table(const Rows& rows) {
  const auto widths = column_widths(rows);
  auto text = rule(widths, {"╒", "═", "╤", "╕"});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == 1) text += rule(widths, {"╞", "═", "╪", "╡"});
    if (r > 1) text += rule(widths, {"├", "─", "┼", "┤"});
    const auto height = std::ranges::max_element(rows[r], {}, &Lines::size)->size();
    for (std::size_t h = 0; h < height; ++h) {
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto line = h < rows[r][i].size() ? rows[r][i][h] : "";
        text += "│ " + (i == 0 ? flush_right(line, widths[i]) : centered(line, widths[i])) + " ";
      }
      text += "│\n";
    }
  }
  return text + rule(widths, {"╘", "═", "╧", "╛"});
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
                     : "& " + latex_escaped(centered(cell, widths[i]));
      text += " ";
    }
    text += "\\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace awend::metrics
