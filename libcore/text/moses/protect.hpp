// Text that the tokenizer is to leave alone: whatever matches a pattern of a file (addresses,
// tags).
//
// The patterns are ICU's regular expressions, one a line; they see the line with single spaces and
// a space at both ends.  What a pattern has found is protected wherever it stands; where two such
// texts overlap, the one found first counts, and patterns find in their order.  An expression
// that goes back, as \w+@ does at each letter of a word without @, takes time with the square of
// the word.  Test: tests/unit/text/moses_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/moses/passes.hpp"

namespace awend::text::moses {

/// One a thread.
class Protector {
 public:
  /// Nothing is protected.
  Protector();
  /// Error "file:line: what" for a bad expression.
  explicit Protector(const std::string& path);
  ~Protector();
  Protector(Protector&&) noexcept;
  Protector& operator=(Protector&&) noexcept;

  /// Puts a mark with spaces around it in the place of each protected text.
  void mark(Work& work);

  /// What the marks of the last line stand for, in their order.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Pattern;

  std::vector<std::string> find_all(std::string_view text);

  std::vector<Pattern> patterns_;
  std::vector<std::string> texts_;
};

}  // namespace awend::text::moses
