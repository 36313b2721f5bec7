// Text that the tokenizer must not change: whatever matches a pattern of a file (addresses, tags).
//
// The patterns are ICU regular expressions, one per line, applied to the line with single spaces
// and a space at both ends.  A text that a pattern has found is protected at all its occurrences;
// where two such texts overlap, the one found first is used, in the order of the patterns.  A
// pattern that backtracks, such as \w+@ at each letter of a word without @, takes quadratic time in
// the length of the word.  Test: tests/unit/text/moses/moses_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/moses/passes.hpp"

namespace awend::text::moses {

/// Each thread has its own.
class Protector {
 public:
  /// Nothing is protected.
  Protector();
  /// Error "file:line: what" for a bad expression.
  explicit Protector(const std::string& path);
  ~Protector();
  Protector(Protector&&) noexcept;
  Protector& operator=(Protector&&) noexcept;

  /// Replaces each protected text with a mark with spaces around it.
  void mark(Work& work);

  /// The texts of the marks of the last line, in order.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Pattern;

  std::vector<std::string> find_all(std::string_view text);

  std::vector<Pattern> patterns_;
  std::vector<std::string> texts_;
};

}  // namespace awend::text::moses
