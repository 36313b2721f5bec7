#include "tests/bench/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/concat.hpp"
#include "base/format.hpp"
#include "base/utf8.hpp"

namespace awend::bench {
namespace {

constexpr std::size_t kNameColumns = 40;
constexpr std::size_t kFigureColumns = 9;

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? base::fixed(value, decimals) : "-";
}

std::string padding(std::string_view text, std::size_t columns) {
  const auto width = base::count_characters(text);
  return std::string(width < columns ? columns - width : 0, ' ');
}

std::size_t width_of(const Column& column) {
  return std::max(kFigureColumns, base::count_characters(column.heading));
}

}  // namespace

Report::Report(const std::string& json, std::string filter)
    : json_(json), filter_(std::move(filter)) {
  if (json_ != "-") table_ = std::make_unique<base::OutputFile>("-");
}

void Report::say(std::string_view text) {
  if (!table_) return;
  table_->write(text);
  table_->flush();
}

void Report::fact(std::string_view name, std::string_view value) {
  facts_.emplace_back(name, value);
  say(base::concat(name, ": ", value, "\n"));
}

void Report::section(std::string_view name, std::string_view about, std::vector<Column> columns) {
  close();
  sections_.push_back({.name = std::string(name),
                       .about = std::string(about),
                       .columns = std::move(columns),
                       .rows = {},
                       .notes = {}});
}

bool Report::wants(std::string_view row) const {
  return base::concat(sections_.back().name, "/", row).find(filter_) != std::string::npos;
}

void Report::head(const Section& section) {
  std::string text = base::concat("\n", section.name, ": ", section.about, "\n\n| ");
  std::string rule = base::concat("|", std::string(kNameColumns + 2, '-'), "|");
  text += base::concat(section.name, padding(section.name, kNameColumns), " |");
  for (const auto& column : section.columns) {
    text += base::concat(" ", padding(column.heading, width_of(column)), column.heading, " |");
    rule += base::concat(std::string(width_of(column) + 1, '-'), ":|");
  }
  say(base::concat(text, "\n", rule, "\n"));
}

void Report::row(std::string_view name, const std::vector<double>& figures) {
  auto& section = sections_.back();
  if (section.rows.empty()) head(section);
  std::string text = base::concat("| ", name, padding(name, kNameColumns), " |");
  for (std::size_t i = 0; i < section.columns.size(); ++i) {
    const auto figure = fixed(figures[i], section.columns[i].decimals);
    text += base::concat(" ", padding(figure, width_of(section.columns[i])), figure, " |");
  }
  say(text + "\n");
  section.rows.emplace_back(name, figures);
}

void Report::note(std::string_view text) {
  sections_.back().notes.emplace_back(text);
}

void Report::close() {
  if (sections_.empty()) return;
  const auto& notes = sections_.back().notes;
  if (!notes.empty()) say("\n");
  for (const auto& note : notes) say(note + "\n");
}

void Report::commit() {
  close();
  if (table_) table_->commit();
  if (json_.empty()) return;
  nlohmann::ordered_json all;
  for (const auto& [name, value] : facts_) all[name] = value;
  for (const auto& section : sections_) {
    if (section.rows.empty() && section.notes.empty()) continue;
    auto& part = all["sections"][section.name];
    part["about"] = section.about;
    part["rows"] = nlohmann::ordered_json::object();
    for (const auto& [name, figures] : section.rows) {
      auto& row = part["rows"][name];
      for (std::size_t i = 0; i < section.columns.size(); ++i) {
        if (std::isfinite(figures[i])) {
          row[std::string(section.columns[i].key)] = figures[i];
        } else {
          row[std::string(section.columns[i].key)] = nullptr;
        }
      }
    }
    part["notes"] = section.notes;
  }
  base::OutputFile file(json_);
  file.write(all.dump(1) + "\n");
  file.commit();
}

}  // namespace awend::bench
