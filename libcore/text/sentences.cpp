#include "text/sentences.hpp"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/icu_error.hpp"
#include "text/moses/prefixes.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status) {
  if (U_FAILURE(status)) base::fail("ICU cannot find sentences: ", icu_reason(status));
}

UChar32 first_character(std::string_view text) {
  return static_cast<UChar32>(base::utf8_step(text, 0).code_point);
}

bool is_white(std::string_view text, std::size_t at) {
  const auto character = static_cast<UChar32>(base::utf8_step(text, at).code_point);
  return u_isUWhiteSpace(character) || character == 0x200B;
}

std::size_t before(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && base::is_utf8_tail(text[at]));
  return at;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_white(text, 0))
    text.remove_prefix(base::utf8_step(text, 0).size_bytes);
  while (!text.empty() && is_white(text, before(text, text.size())))
    text = text.substr(0, before(text, text.size()));
  return text;
}

// The last word of a sentence that ends in a period, without it; empty if there is no such word.
std::string_view last_word(std::string_view sentence) {
  if (!sentence.ends_with('.')) return {};
  sentence.remove_suffix(1);
  std::size_t begin = sentence.size();
  while (begin > 0 && !is_white(sentence, before(sentence, begin))) begin = before(sentence, begin);
  std::string_view word = sentence.substr(begin);
  // Without an opening parenthesis or quotation mark.
  while (!word.empty() && u_ispunct(first_character(word)))
    word.remove_prefix(base::utf8_step(word, 0).size_bytes);
  return word;
}

struct CloseResource {
  void operator()(UResourceBundle* bundle) const { ures_close(bundle); }
};
using Resource = std::unique_ptr<UResourceBundle, CloseResource>;

// The abbreviations of a language, each with its last period; none if ICU has no list.  ICU's own
// filter is not used: it also finds them as the ends of longer words.
std::vector<std::string> abbreviations_of(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const Resource rules(ures_open(U_ICUDATA_NAME "-brkitr", language.c_str(), &status));
  const Resource exceptions(ures_getByKey(rules.get(), "exceptions", nullptr, &status));
  const Resource list(ures_getByKey(exceptions.get(), "SentenceBreak", nullptr, &status));
  std::vector<std::string> found;
  for (std::int32_t i = 0; U_SUCCESS(status) && i < ures_getSize(list.get()); ++i) {
    std::int32_t size = 0;
    const UChar* text = ures_getStringByIndex(list.get(), i, &size, &status);
    if (U_SUCCESS(status)) icu::UnicodeString(text, size).toUTF8String(found.emplace_back());
  }
  return found;
}

bool is_capital(std::string_view word) {
  const base::Utf8Step step = base::utf8_step(word, 0);
  return !word.empty() && step.size_bytes == word.size() && u_isUUppercase(first_character(word));
}

}  // namespace

struct SentenceBreaker::State {
  std::unique_ptr<icu::BreakIterator> iterator;
  std::vector<std::string> abbreviations;
  moses::Prefixes prefixes;
  UText text = UTEXT_INITIALIZER;

  ~State() { utext_close(&text); }

  bool is_abbreviation(std::string_view sentence) const {
    return std::ranges::any_of(abbreviations, [&](const std::string& end) {
      if (!sentence.ends_with(end)) return false;
      const std::string_view front = sentence.substr(0, sentence.size() - end.size());
      return front.empty() ||
             !u_isalnum(first_character(front.substr(before(front, front.size()))));
    });
  }

  // Whether a boundary between these two is one in spite of an abbreviation.
  bool ends(std::string_view sentence, std::string_view rest) const {
    sentence = trimmed(sentence);
    rest = trimmed(rest);
    // As in "Stop!" he said.
    if (!rest.empty() && u_islower(first_character(rest))) return false;
    const std::string_view word = last_word(sentence);
    if (word.empty()) return true;
    if (is_capital(word) || is_abbreviation(sentence)) return false;
    switch (prefixes.find(word)) {
      case moses::Prefixes::Kind::kNone:
        return true;
      case moses::Prefixes::Kind::kAlways:
        return false;
      case moses::Prefixes::Kind::kBeforeDigit:
        return rest.empty() || !u_isdigit(first_character(rest));
    }
    return true;
  }
};

SentenceBreaker::SentenceBreaker(const SentenceSettings& settings)
    : state_(std::make_unique<State>()) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(settings.language.c_str());
  state_->iterator.reset(icu::BreakIterator::createSentenceInstance(locale, status));
  check_icu(status);
  state_->abbreviations = abbreviations_of(settings.language);
  if (!settings.prefixes.empty())
    state_->prefixes = moses::Prefixes(settings.prefixes, settings.language);
}

SentenceBreaker::~SentenceBreaker() = default;

const std::vector<std::string_view>& SentenceBreaker::split(std::string_view line) {
  sentences_.clear();
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&state_->text, line.data(), static_cast<std::int64_t>(line.size()), &status);
  check_icu(status);
  icu::BreakIterator& iterator = *state_->iterator;
  iterator.setText(&state_->text, status);
  check_icu(status);
  std::size_t begin = 0;
  for (std::int32_t end = iterator.first(); end != icu::BreakIterator::DONE;
       end = iterator.next()) {
    const auto at = static_cast<std::size_t>(end);
    if (at < line.size() && !state_->ends(line.substr(begin, at - begin), line.substr(at)))
      continue;
    const std::string_view sentence = trimmed(line.substr(begin, at - begin));
    if (!sentence.empty()) sentences_.push_back(sentence);
    begin = at;
  }
  return sentences_;
}

std::string_view sentence_separator(std::string_view language) {
  static constexpr std::array<std::string_view, 7> kWithoutSpaces = {"zh", "ja", "th", "lo",
                                                                     "km", "my", "yue"};
  const std::string_view name = language.substr(0, language.find_first_of("-_"));
  return std::ranges::find(kWithoutSpaces, name) == kWithoutSpaces.end() ? " " : "";
}

}  // namespace awend::text
