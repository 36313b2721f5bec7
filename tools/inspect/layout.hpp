// Layout of text output: readable numbers, and aligned columns. Test:
// tests/unit/inspect/layout_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::tools {

/// "1 234 567"
std::string grouped(std::uint64_t number);

/// "3.4 MiB", "812 bytes"
std::string amount_of_bytes(std::uint64_t bytes);

/// "1:43", "2:05:07": minutes and seconds, or hours as well.
std::string duration(double seconds);

/// Rows of cells.  The first column is left-aligned, the others right-aligned, with two spaces
/// between; a row of one cell is a separate line that does not affect the widths.
class Columns {
 public:
  void add(const std::vector<std::string>& row);
  /// Every line is indented by two spaces and ends in a line feed.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Names and values, several pairs per line, at most about 90 columns wide.
std::string pairs(std::vector<std::pair<std::string, std::string>> entries);

/// A text after a prefix, wrapped at spaces, with aligned lines.
std::string hanging(std::string_view beginning, std::string_view text);

/// A name, and an aligned text.
std::string fact(std::string_view name, std::string_view value);

}  // namespace awend::tools
