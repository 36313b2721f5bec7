// The lines of a small text file, for parsers that report line numbers.  Only LF ends a line.
// Test: tests/unit/text/subword_nmt/subword_nmt_codes_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::text {

class NumberedLines {
 public:
  NumberedLines(std::string_view content, const std::string& name) : rest_(content), name_(name) {}

  /// The next line; false at the end.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    ++number_;
    line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    return true;
  }
  /// All remaining lines.
  std::string_view rest() const { return rest_; }

  /// Error "name:line: what".
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... what) const {
    base::fail(name_, ":", std::max<std::uint64_t>(number_, 1), ": ", what...);
  }
  void check_utf8(std::string_view line) const {
    const std::size_t invalid = base::find_invalid_utf8(line);
    if (invalid != std::string_view::npos) fail("invalid UTF-8 at byte ", invalid + 1);
  }

 private:
  std::string_view rest_;
  const std::string& name_;
  std::uint64_t number_ = 0;
};

}  // namespace awend::text
