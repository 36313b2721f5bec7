// Unicode normalization as a vocabulary requires it.
//
// Test: tests/unit/text/normalize_test.cpp, with $AWEND_CONFORMANCE/unicode if available.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/words.hpp"

namespace awend::text {

enum class Normalization { kNone, kNfc, kNfkc };
inline constexpr base::Word<Normalization> kNormalizationWords[] = {
    {Normalization::kNfc, "nfc"}, {Normalization::kNfkc, "nfkc"}, {Normalization::kNone, "none"}};
enum class LetterCase { kKeep, kLower };
inline constexpr base::Word<LetterCase> kLetterCaseWords[] = {{LetterCase::kKeep, "keep"},
                                                              {LetterCase::kLower, "lower"}};
enum class ControlCharacters { kKeep, kRemove };
inline constexpr base::Word<ControlCharacters> kControlWords[] = {
    {ControlCharacters::kKeep, "keep"}, {ControlCharacters::kRemove, "remove"}};

/// The preprocessing of a line, in this order: control characters, case (followed by another NFKC
/// if that is requested, since it can produce capitals), Unicode form.
struct TextForm {
  Normalization normalization = Normalization::kNfc;
  LetterCase letter_case = LetterCase::kKeep;
  ControlCharacters control = ControlCharacters::kKeep;

  bool operator==(const TextForm&) const = default;
};

/// Normalizes lines.  Each thread has its own, because it owns the memory of its last result.
class Normalizer {
 public:
  explicit Normalizer(const TextForm& form) : form_(form) {}

  /// The normalized form of `line`, which must be valid UTF-8; may be `line` itself, and is valid
  /// until the next call.  Takes linear time.
  std::string_view apply(std::string_view line);

 private:
  TextForm form_;
  std::string text_;
};

std::string normalize(std::string_view line, const TextForm& form);
std::string normalize(std::string_view line, Normalization form);

/// `line` without control characters (Cc), including a CR at its end; TAB, VT, FF, CR and U+0085
/// within it become spaces.
std::string without_control(std::string_view line);

constexpr std::string_view name_of(Normalization form) {
  return base::word_for(kNormalizationWords, form);
}
constexpr std::string_view name_of(LetterCase letter_case) {
  return base::word_for(kLetterCaseWords, letter_case);
}
constexpr std::string_view name_of(ControlCharacters control) {
  return base::word_for(kControlWords, control);
}

}  // namespace awend::text
