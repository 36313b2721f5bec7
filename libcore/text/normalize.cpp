#include "text/normalize.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/case.hpp"
#include "text/characters.hpp"
#include "text/icu_error.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status, std::string_view what) {
  if (U_FAILURE(status)) base::fail("ICU cannot ", what, ": ", icu_reason(status));
}

const icu::Normalizer2& normalizer(Normalization form) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* found = form == Normalization::kNfkc ? icu::Normalizer2::getNFKCInstance(status)
                                                   : icu::Normalizer2::getNFCInstance(status);
  check_icu(status, "normalize");
  return *found;
}

// True if the table shows that nothing would change.
bool is_plain(std::string_view text, Normalization form) {
  static const auto& facts = character_facts();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) continue;
    if (byte >= 0xE0 || i + 1 == text.size()) return false;
    const auto character = static_cast<char32_t>((byte & 0x1F) << 6 | (text[++i] & 0x3F));
    if (character >= kFirstWithoutFacts) return false;
    const CharacterFacts& fact = facts[character];
    if (!(form == Normalization::kNfkc ? fact.nfkc_inert : fact.nfc_inert)) return false;
  }
  return true;
}

// Normalization sorts marks by their classes.  ICU inserts marks one by one, even for a check,
// which takes quadratic time for long runs of marks.  Sorting long runs first gives canonically
// equivalent text.
class MarkSorter {
 public:
  explicit MarkSorter(const icu::Normalizer2& normalizer) : normalizer_(normalizer) {}

  /// True if `text` contains a run of marks that should be sorted first.
  bool has_flood(std::string_view text) const {
    std::size_t marks = 0;
    for (std::size_t position = 0; position < text.size();) {
      // No character below U+0300 is a mark.
      if (static_cast<unsigned char>(text[position]) < 0xCC) {
        marks = 0;
        ++position;
        continue;
      }
      const base::Utf8Step step = base::utf8_step(text, position);
      marks = class_of(step.code_point) == 0 ? 0 : marks + 1;
      if (marks > kManyMarks) return true;
      position += step.size_bytes;
    }
    return false;
  }

  std::string sorted(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t position = 0; position < text.size();) {
      const base::Utf8Step step = base::utf8_step(text, position);
      const std::string_view character = text.substr(position, step.size_bytes);
      position += step.size_bytes;
      const auto mark_class = class_of(step.code_point);
      if (mark_class == 0) {
        flush(out);
        out += character;
      } else {
        marks_.push_back({mark_class, character});
      }
    }
    flush(out);
    return out;
  }

 private:
  static constexpr std::size_t kManyMarks = 30;

  struct Mark {
    std::uint8_t mark_class;
    std::string_view character;
  };

  std::uint8_t class_of(char32_t character) const {
    return normalizer_.getCombiningClass(static_cast<UChar32>(character));
  }

  void flush(std::string& out) {
    if (marks_.size() > kManyMarks) {
      std::stable_sort(marks_.begin(), marks_.end(),
                       [](const Mark& a, const Mark& b) { return a.mark_class < b.mark_class; });
    }
    for (const Mark& mark : marks_) out += mark.character;
    marks_.clear();
  }

  const icu::Normalizer2& normalizer_;
  std::vector<Mark> marks_;
};

// False if `text` is already normalized.
bool bring_into(Normalization form, std::string_view text, std::string& out) {
  if (form == Normalization::kNone || is_plain(text, form)) return false;
  require_icu_size(text);
  const auto piece_of = [](std::string_view bytes) {
    return icu::StringPiece(bytes.data(), static_cast<std::int32_t>(bytes.size()));
  };
  const icu::Normalizer2& icu_form = normalizer(form);
  MarkSorter sorter(icu_form);
  std::string sorted;
  UErrorCode status = U_ZERO_ERROR;
  if (sorter.has_flood(text)) {
    text = sorted = sorter.sorted(text);
  } else if (icu_form.isNormalizedUTF8(piece_of(text), status) && U_SUCCESS(status)) {
    return false;
  }
  std::string normalized;
  icu::StringByteSink<std::string> sink(&normalized);
  status = U_ZERO_ERROR;
  icu_form.normalizeUTF8(0, piece_of(text), sink, nullptr, status);
  check_icu(status, "normalize");
  out = std::move(normalized);
  return true;
}

}  // namespace

std::string without_control(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string out;
  out.reserve(line.size());
  for (std::size_t position = 0; position < line.size();) {
    const base::Utf8Step step = base::utf8_step(line, position);
    const bool is_space =
        (step.code_point >= U'\t' && step.code_point <= U'\r' && step.code_point != U'\n') ||
        step.code_point == 0x85;
    if (is_space) {
      out += ' ';
    } else if (!is_control(step.code_point)) {
      out += line.substr(position, step.size_bytes);
    }
    position += step.size_bytes;
  }
  return out;
}

std::string_view Normalizer::apply(std::string_view line) {
  if (form_.control == ControlCharacters::kRemove) line = text_ = without_control(line);
  if (form_.letter_case == LetterCase::kLower) {
    if (form_.normalization == Normalization::kNfkc && bring_into(form_.normalization, line, text_))
      line = text_;
    line = text_ = lower_case(line);
  }
  return bring_into(form_.normalization, line, text_) ? std::string_view(text_) : line;
}

std::string normalize(std::string_view line, const TextForm& form) {
  return std::string(Normalizer(form).apply(line));
}

std::string normalize(std::string_view line, Normalization form) {
  return normalize(line, TextForm{.normalization = form});
}

}  // namespace awend::text
