#include "inspect/layout.hpp"

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "base/numbers.hpp"
#include "base/visible.hpp"
#include "metrics/numbers.hpp"
#include "text/characters.hpp"

namespace awend::tools {
namespace {

constexpr std::size_t kLine = 92;
constexpr std::size_t kNames = 18;  // the column of names in fact()

std::string padded(std::string_view text, std::size_t width) {
  return base::concat(text, std::string(width - std::min(width, text::count_columns(text)), ' '));
}

std::string without_spaces_at_end(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = base::concat(number);
  for (auto place = std::ssize(digits) - 3; place > 0; place -= 3)
    digits.insert(static_cast<std::size_t>(place), 1, ' ');
  return digits;
}

std::string amount_of_bytes(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return base::concat(bytes, " bytes");
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1023.95 && unit + 1 < std::size(kUnits); ++unit) amount /= 1024;
  return base::concat(metrics::fixed(amount, 1), " ", kUnits[unit]);
}

std::string duration(double seconds) {
  return base::clock_text(std::round(seconds));
}

void Columns::add(const std::vector<std::string>& row) {
  auto& shown = rows_.emplace_back();
  for (const std::string& cell : row) shown.push_back(base::visible(cell));
}

std::string Columns::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    if (row.size() < 2) continue;
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text::count_columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line = "  " + padded(row.at(0), row.size() < 2 ? 0 : widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      line += base::concat("  ", std::string(widths[i] - text::count_columns(row[i]), ' '), row[i]);
    out += without_spaces_at_end(line) + "\n";
  }
  return out;
}

std::string pairs(std::vector<std::pair<std::string, std::string>> entries) {
  for (auto& [name, value] : entries) {
    name = base::visible(name);
    value = base::visible(value);
  }
  std::size_t names = 0, values = 0;
  for (const auto& [name, value] : entries) {
    names = std::max(names, text::count_columns(name));
    values = std::max(values, text::count_columns(value));
  }
  const auto value_at = [&](std::size_t i) {
    return entries[i].second.empty() ? "-" : entries[i].second;
  };
  const std::size_t cell = names + values + 6;
  const std::size_t across = std::clamp<std::size_t>(kLine / cell, 1, 3);
  const std::size_t down = base::divide_up(entries.size(), across);
  std::string out;
  for (std::size_t row = 0; row < down; ++row) {
    std::string line = "  ";
    for (std::size_t i = row; i < entries.size(); i += down)
      line += padded(padded(entries[i].first, names + 2) + value_at(i), cell);
    out += without_spaces_at_end(line) + "\n";
  }
  return out;
}

std::string fact(std::string_view name, std::string_view value) {
  return hanging(padded(base::concat("  ", name), kNames + 2) + "  ", value);
}

std::string hanging(std::string_view beginning, std::string_view written) {
  const std::string shown = base::visible(written);
  std::string_view text = shown;
  std::string out, line(beginning);
  const std::size_t indent = text::count_columns(line);
  bool begun = false;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (begun && text::count_columns(line) + 1 + text::count_columns(word) > kLine) {
      out += line + "\n";
      line = std::string(indent, ' ');
      begun = false;
    }
    line += base::concat(begun ? " " : "", word);
    begun = true;
  }
  return out + without_spaces_at_end(line) + "\n";
}

}  // namespace awend::tools
