// Punctuation in one spelling, as Moses' normalize-punctuation.perl writes it, byte for byte: plain
// quotes, dashes and dots, no space before a colon, no-break spaces resolved.
// Test: tests/unit/text/moses_punctuation_test.cpp, with the outputs in $AWEND_CONFORMANCE/moses.
#pragma once

#include <string>
#include <string_view>

#include "text/moses/passes.hpp"

namespace awend::text {

/// One a thread.
class MosesPunctuation {
 public:
  /// English puts a comma before the quote that closes, most others behind it; Czech (cs, cz)
  /// either.
  explicit MosesPunctuation(std::string_view language);

  /// Appends the line.  REQUIRES: valid UTF-8.
  void normalize(std::string_view line, std::string& out);

 private:
  enum class QuoteStyle { kEnglish, kOutside, kKept };

  QuoteStyle style_;
  bool decimal_comma_;
  moses::Work work_;
};

}  // namespace awend::text
