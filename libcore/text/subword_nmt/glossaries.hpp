// Words that are never cut: regular expressions in Python's syntax and meaning, as subword-nmt's
// --glossaries takes them, for ICU to run.
//
// One pattern after the other cuts its matches out of the word, or out of what the patterns before
// it have left; then a part that one of the patterns matches wholly stays as it is.  Groups in a
// pattern only group.  Test: tests/unit/text/glossaries_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// One a thread.
class Glossaries {
 public:
  /// UsageError for a pattern that is no regular expression.
  explicit Glossaries(std::span<const std::string> patterns);
  ~Glossaries();
  Glossaries(Glossaries&&) noexcept;

  bool empty() const { return matchers_.empty(); }
  /// Whether one of the patterns matches the whole text.
  bool match(std::string_view text) const;
  /// The word's parts in their order, none of them empty; together they are the word.
  std::vector<std::string_view> cut(std::string_view word) const;

 private:
  class Matcher;
  std::vector<std::unique_ptr<Matcher>> matchers_;
};

}  // namespace awend::text
