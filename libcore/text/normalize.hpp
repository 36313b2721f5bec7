// One text, one spelling: the form that a vocabulary asks for.
//
// Test: tests/unit/text/normalize_test.cpp, with $AWEND_CONFORMANCE/unicode where it is at hand.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace awend::text {

enum class Normalization { kNone, kNfc, kNfkc };
enum class LetterCase { kKeep, kLower };
enum class ControlCharacters { kKeep, kRemove };

/// What is done to a line before anything else, in this order: control characters, case (and once
/// more NFKC where that was asked for, which can bring capitals to light), Unicode form.
struct TextForm {
  Normalization normalization = Normalization::kNfc;
  LetterCase letter_case = LetterCase::kKeep;
  ControlCharacters control = ControlCharacters::kKeep;

  bool operator==(const TextForm&) const = default;
};

/// Brings lines into a form.  One a thread: it owns the memory of its last answer.
class Normalizer {
 public:
  explicit Normalizer(const TextForm& form) : form_(form) {}

  /// `line`, which must be valid UTF-8, in the form; it may be `line` itself, and holds until the
  /// next call.  Time grows with the line's length, whatever is in it.
  std::string_view apply(std::string_view line);

 private:
  TextForm form_;
  std::string text_;
};

std::string normalize(std::string_view line, const TextForm& form);
std::string normalize(std::string_view line, Normalization form);

/// `line` without control characters (Cc), a CR at its end included; TAB, VT, FF, CR and U+0085
/// within it become spaces.
std::string without_control(std::string_view line);

/// `none`, `nfc`, `nfkc`; UsageError for another name.
Normalization normalization(std::string_view name);
std::string_view name_of(Normalization form);

/// `keep`, `lower`.
std::string_view name_of(LetterCase letter_case);

/// `keep`, `remove`; UsageError for another name.
ControlCharacters control_characters(std::string_view name);
std::string_view name_of(ControlCharacters control);

}  // namespace awend::text
