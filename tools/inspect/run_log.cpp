#include "inspect/run_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kFirst = "step";
// Each row has a number for every column of the whole log, so their number must be bounded.
constexpr std::size_t kMaxColumns = 256;

std::vector<std::string_view> cells_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return base::split(line, '\t');
}

double number_of(std::string_view text) {
  if (text == "-") return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  const auto error = base::parse_number(text, number);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::quiet_NaN();
  if (error != std::errc()) base::fail("'", text, "' is not a number");
  return number;
}

class Reader {
 public:
  explicit Reader(RunLog& log) : log_(log) {}

  void line(std::string_view text) {
    const auto cells = cells_of(text);
    if (cells[0] == kFirst) return header(cells);
    if (places_.empty()) return;  // output of a script before the log
    if (cells.size() != places_.size())
      base::fail(cells.size(), " columns, but the header has ", places_.size());
    LogRow row(log_.columns.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < cells.size(); ++i) row[places_[i]] = number_of(cells[i]);
    if (!std::isfinite(row[0]) || row[0] < 0) base::fail("'", cells[0], "' is not a step");
    add(std::move(row));
  }

 private:
  void header(const std::vector<std::string_view>& cells) {
    places_.clear();
    for (const auto cell : cells) {
      const auto known = std::ranges::find(log_.columns, cell);
      const auto place = static_cast<std::size_t>(known - log_.columns.begin());
      if (std::ranges::find(places_, place) != places_.end())
        base::fail("duplicate column '", cell, "'");
      places_.push_back(place);
      if (known == log_.columns.end()) log_.columns.emplace_back(cell);
      if (log_.columns.size() > kMaxColumns) base::fail("more than ", kMaxColumns, " columns");
    }
  }

  void add(LogRow row) {
    while (!log_.rows.empty() && log_.rows.back()[0] >= row[0]) log_.rows.pop_back();
    log_.rows.push_back(std::move(row));
  }

  RunLog& log_;
  std::vector<std::size_t> places_;  // of the cells of a line
};

}  // namespace

std::size_t RunLog::column(std::string_view column_name) const {
  return static_cast<std::size_t>(std::ranges::find(columns, column_name) - columns.begin());
}

RunLog read_log(base::LineReader& lines) {
  RunLog log{.name = lines.name(), .columns = {}, .rows = {}};
  Reader reader(log);
  for (std::string_view line; lines.next(line);) base::at_line(lines, [&] { reader.line(line); });
  if (lines.line_number() == 0) base::fail(lines.name(), ": not a log of train: empty file");
  if (log.columns.empty())
    base::fail(lines.name(), ": not a log of train: no line begins with '", kFirst, "'");
  if (log.rows.empty()) base::fail(lines.name(), ": no rows to plot yet");
  for (auto& row : log.rows)  // of before a later header added columns
    row.resize(log.columns.size(), std::numeric_limits<double>::quiet_NaN());
  return log;
}

}  // namespace awend::tools
