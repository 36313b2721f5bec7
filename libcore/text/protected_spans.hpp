// Spans of a text that must not be translated: the matches of patterns, and placeholders.
//
// Test: tests/unit/text/protected_spans_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "text/pattern.hpp"
#include "text/text_range.hpp"

namespace awend::text {

inline constexpr base::Setting kProtectedPattern{"the protected pattern"};

struct ProtectionSettings {
  std::vector<std::string> patterns = {};  ///< As Pattern.
  enum class Placeholders { kTranslate, kKeep };
  /// `{name}`, `${name}`, `%s`, `%1$s`, `%(name)d`, `%%`, URLs and e-mail addresses.
  Placeholders placeholders = Placeholders::kTranslate;
};

/// Each thread has its own.
class ProtectedSpans {
 public:
  /// UsageError for a pattern that is not a regular expression.
  explicit ProtectedSpans(const ProtectionSettings& settings);

  /// The spans of `text` in order, neither empty nor overlapping nor adjacent: matches that overlap
  /// or touch are one span.  A span includes the Latin letters and digits that it adjoins, because
  /// they form a word with it.  Throws Error naming the pattern if it takes too long.
  std::vector<TextRange> find(std::string_view text);

 private:
  std::vector<Pattern> patterns_;
  std::vector<Pattern> placeholders_;
};

/// True for the last or first character of a word in a Latin script, also for a mark that combines
/// with it: `text[position]` is one of its bytes.
bool is_latin_word(std::string_view text, std::size_t position);

}  // namespace awend::text
