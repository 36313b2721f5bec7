// A regular expression with the syntax and semantics of Python's `re`, evaluated by ICU over UTF-8
// with a limit on the work, so that a hostile one, such as (a+)+b, is an error instead of a hang.
//
// Test: tests/unit/text/subword_nmt/glossaries_test.cpp, tests/unit/text/protected_spans_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "text/text_range.hpp"

namespace awend::text {

/// The limit of the work of one search of ICU in a text, in its units of some ten thousand
/// operations: far more than a word or a line needs, and far less than the exponential search for a
/// hostile pattern.  It does not depend on processor time.
std::int32_t regex_steps(std::size_t text_bytes);

/// Each thread has its own.
class Pattern {
 public:
  /// UsageError "WHAT 'PATTERN' is not a regular expression: why".
  Pattern(const base::Message& what, const std::string& pattern);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Whether the whole text matches.  Throws Error "WHAT 'PATTERN': why" if that takes too long.
  bool matches(std::string_view text);
  /// The matches from left to right, also empty ones.  Throws Error as matches().
  std::vector<TextRange> find_all(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
