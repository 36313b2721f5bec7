// Normalization of punctuation as in Moses' normalize-punctuation.perl, byte for byte: plain
// quotes, dashes and dots, no space before a colon, no-break spaces replaced. Test:
// tests/unit/text/moses/moses_punctuation_test.cpp, with the outputs in $AWEND_CONFORMANCE/moses.
#pragma once

#include <string>
#include <string_view>

#include "text/moses/passes.hpp"

namespace awend::text {

/// Each thread has its own.
class MosesPunctuation {
 public:
  /// English puts a comma before the closing quote, most other languages after it; Czech (cs, cz)
  /// leaves it.
  explicit MosesPunctuation(std::string_view language);

  /// Appends the line.  Requires: valid UTF-8.
  void normalize(std::string_view line, std::string& out);

 private:
  enum class QuoteStyle { kEnglish, kOutside, kKept };

  QuoteStyle style_;
  bool decimal_comma_;
  moses::Work work_;
};

}  // namespace awend::text
