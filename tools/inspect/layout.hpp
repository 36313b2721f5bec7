// Text for people: numbers that can be read, and rows whose columns stand under each other.
// Test: tests/unit/inspect/layout_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::tools {

/// "1 234 567"
std::string grouped(std::uint64_t number);

/// So many significant digits, without zeros at the end: "0.0123", "1.5e-09".
std::string significant(double number, int digits);

/// "3.4 MiB", "812 bytes"
std::string amount_of_bytes(std::uint64_t bytes);

/// "1:43", "2:05:07": minutes and seconds, or hours too.
std::string duration(double seconds);

/// "20.1 %"
std::string percent(double part, double all);

/// Characters that a text takes on a line, if each takes one column.
std::size_t width_of(std::string_view text);

/// Rows of cells.  The first column is flush left, the others flush right, two spaces apart; a row
/// of one cell is a line of its own that widens nothing.
class Columns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Every line is indented by two spaces and ends in a line feed.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Names and values, several pairs a line, at most about 90 columns wide.
std::string pairs(const std::vector<std::pair<std::string, std::string>>& entries);

/// A text behind a beginning, broken at spaces so that its lines stand under each other.
std::string hanging(std::string_view beginning, std::string_view text);

/// One name, and a text that hangs beside it.
std::string fact(std::string_view name, std::string_view value);

}  // namespace awend::tools
