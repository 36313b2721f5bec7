// Unicode normalization as a vocabulary requires it.
//
// Test: tests/unit/text/normalize_test.cpp, with $AWEND_CONFORMANCE/unicode if available.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace awend::text {

enum class Normalization { kNone, kNfc, kNfkc };
enum class LetterCase { kKeep, kLower };
enum class ControlCharacters { kKeep, kRemove };

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

/// `none`, `nfc`, `nfkc`; UsageError for another name.
Normalization normalization(std::string_view name);
std::string_view name_of(Normalization form);

/// `keep`, `lower`.
std::string_view name_of(LetterCase letter_case);

/// `keep`, `remove`; UsageError for another name.
ControlCharacters control_characters(std::string_view name);
std::string_view name_of(ControlCharacters control);

}  // namespace awend::text
