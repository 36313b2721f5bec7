// Words that are never split: regular expressions with Python's syntax and semantics, like the
// glossaries of subword-nmt, evaluated by ICU.
//
// One after the other, the patterns separate their matches from the word, or from the remaining
// parts; then a part that one of the patterns matches completely is kept.  Groups in a pattern
// only group.  Test: tests/unit/text/subword_nmt/glossaries_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// Each thread has its own.
class Glossaries {
 public:
  /// UsageError for a pattern that is not a regular expression.
  explicit Glossaries(std::span<const std::string> patterns);
  ~Glossaries();
  Glossaries(Glossaries&&) noexcept;

  bool empty() const { return matchers_.empty(); }
  /// Whether one of the patterns matches the whole text.
  bool match(std::string_view text) const;
  /// The nonempty parts of the word, in order; together they are the word.
  std::vector<std::string_view> cut(std::string_view word) const;

 private:
  class Matcher;
  std::vector<std::unique_ptr<Matcher>> matchers_;
};

}  // namespace awend::text
