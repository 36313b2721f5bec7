#include "text/folded_text.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/icu_error.hpp"

namespace awend::text {
namespace {

constexpr std::size_t kInside = std::string::npos;  // of a changed character

class Folder {
 public:
  explicit Folder(Folding folding) : folding_(folding) {
    UErrorCode status = U_ZERO_ERROR;
    nfkd_ = icu::Normalizer2::getNFKDInstance(status);
    if (U_FAILURE(status)) base::fail("NFKD: ", icu_reason(status));
  }

  std::string fold(char32_t character) const {
    icu::UnicodeString folded = decomposed(static_cast<UChar32>(character));
    // The folding of a letter can have a decomposition that the letter has not.
    folded = decomposed(folded.foldCase());
    std::string text;
    if (folding_ == Folding::kLetters) {
      icu::UnicodeString letters;
      for (std::int32_t at = 0; at < folded.length(); at = folded.moveIndex32(at, 1)) {
        if (u_charType(folded.char32At(at)) != U_NON_SPACING_MARK)
          letters.append(folded.char32At(at));
      }
      folded = letters;
    }
    return folded.toUTF8String(text);
  }

 private:
  icu::UnicodeString decomposed(const icu::UnicodeString& text) const {
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString result = nfkd_->normalize(text, status);
    if (U_FAILURE(status)) base::fail("NFKD: ", icu_reason(status));
    return result;
  }

  Folding folding_;
  const icu::Normalizer2* nfkd_;
};

}  // namespace

FoldedText::FoldedText(std::string_view utf8, Folding folding) {
  if (folding == Folding::kNone) {
    text_ = utf8;
    return;
  }
  const Folder folder(folding);
  for (std::size_t at = 0; at < utf8.size();) {
    const base::Utf8Step step = base::utf8_step(utf8, at);
    const std::string_view character = utf8.substr(at, step.size_bytes);
    const std::string folded = step.valid ? folder.fold(step.code_point) : std::string(character);
    for (std::size_t i = 0; i < folded.size(); ++i)
      origins_.push_back(i == 0 ? at : folded == character ? at + i : kInside);
    text_ += folded;
    at += step.size_bytes;
  }
  origins_.push_back(utf8.size());
}

std::optional<std::size_t> FoldedText::origin(std::size_t at) const {
  if (origins_.empty()) return at;
  if (origins_[at] == kInside) return std::nullopt;
  return origins_[at];
}

}  // namespace awend::text
