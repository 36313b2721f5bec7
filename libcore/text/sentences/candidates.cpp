#include "text/sentences/candidates.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "text/icu_error.hpp"

namespace awend::text::sentences {
namespace {

void check_icu(UErrorCode status) {
  if (U_FAILURE(status)) base::fail("ICU cannot find sentences: ", icu_reason(status));
}

}  // namespace

Candidates::Candidates(const std::string& language, std::u32string_view terminators)
    : terminators_(terminators) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(language.c_str());
  iterator_.reset(icu::BreakIterator::createSentenceInstance(locale, status));
  check_icu(status);
}

Candidates::~Candidates() {
  utext_close(&text_);
}

const std::vector<std::size_t>& Candidates::find(std::string_view line,
                                                 const LineCharacters& characters) {
  found_.clear();
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&text_, line.data(), static_cast<std::int64_t>(line.size()), &status);
  check_icu(status);
  iterator_->setText(&text_, status);
  check_icu(status);
  iterator_->first();
  // The terminators of the language end a sentence before white space only, also those that newer
  // versions of ICU know: ។ល។ is the Khmer "etc."
  const auto is_terminator = [&](std::size_t i) {
    return terminators_.find(characters[i]) != terminators_.npos;
  };
  for (std::int32_t at = iterator_->next(); at != icu::BreakIterator::DONE;
       at = iterator_->next()) {
    const auto index = characters.index_at(static_cast<std::size_t>(at));
    if (!is_terminator(index - 1)) found_.push_back(index);
  }
  for (std::size_t i = 0; !terminators_.empty() && i + 1 < characters.size(); ++i) {
    if (is_terminator(i) && characters.is_white_at(i + 1)) found_.push_back(i + 1);
  }
  std::ranges::sort(found_);
  while (!found_.empty() && found_.back() >= characters.size()) found_.pop_back();
  return found_;
}

}  // namespace awend::text::sentences
