// What awend-bench has measured: Markdown tables as the rows come, and JSON at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.hpp"

namespace awend::bench {

/// A column of figures.
struct Column {
  std::string_view heading;  ///< Of the table.
  std::string_view key;      ///< Of JSON.
  int decimals;
};

class Report {
 public:
  /// Where JSON goes ("-": stdout, which then has no tables; empty: nowhere), and the text that the
  /// names of rows ("section/row") must hold.
  Report(const std::string& json, std::string filter);

  /// A line about the whole run.
  void fact(std::string_view name, std::string_view value);
  /// Opens a section: its name, what its figures are, its columns.
  void section(std::string_view name, std::string_view about, std::vector<Column> columns);
  /// Whether the filter asks for a row of this section.
  bool wants(std::string_view row = "") const;
  void row(std::string_view name, const std::vector<double>& figures);
  /// A line below the table.
  void note(std::string_view text);
  /// Ends the last section and writes JSON.  The last call.
  void commit();

 private:
  struct Section {
    std::string name, about;
    std::vector<Column> columns;
    std::vector<std::pair<std::string, std::vector<double>>> rows;
    std::vector<std::string> notes;
  };
  void say(std::string_view text);
  void head(const Section& section);
  void close();

  std::string json_, filter_;
  std::unique_ptr<base::OutputFile> table_;  // null where stdout is for JSON
  std::vector<std::pair<std::string, std::string>> facts_;
  std::vector<Section> sections_;
};

}  // namespace awend::bench
