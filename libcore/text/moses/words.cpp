// Operations of Moses' detokenizer on single words: Finnish endings, the first letter of a line.
#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <algorithm>

#include "base/error.hpp"
#include "text/case.hpp"
#include "text/icu_error.hpp"
#include "text/moses/characters.hpp"
#include "text/moses/detokenize.hpp"

namespace awend::text::moses {

// Finnish cases after a colon: EU:ssa.
bool Detokenizer::place_finnish_ending(std::size_t i) {
  constexpr std::string_view kCases[] = {
      "N",   "n",    "A",    "a",   "Ä",   "ä",   "ssa", "Ssa", "ssä", "Ssä", "sta",
      "stä", "Sta",  "Stä",  "hun", "Hun", "hyn", "Hyn", "han", "Han", "hän", "Hän",
      "hön", "Hön",  "un",   "Un",  "yn",  "Yn",  "an",  "An",  "än",  "Än",  "ön",
      "Ön",  "seen", "Seen", "lla", "Lla", "llä", "Llä", "lta", "Lta", "ltä", "Ltä",
      "lle", "Lle",  "ksi",  "Ksi", "kse", "Kse", "tta", "Tta", "ine", "Ine"};
  constexpr std::string_view kOwners[] = {"", "ni", "si", "mme", "nne", "nsa"};
  constexpr std::string_view kClitics[] = {"",   "ko", "kö",   "han",  "hän",
                                           "pa", "pä", "kaan", "kään", "kin"};
  if (language_ != Language::kFinnish || i == 0 || !words_[i - 1].ends_with(':')) return false;
  const std::string_view word = words_[i];
  const auto rest_matches = [&](std::string_view rest) {
    return std::ranges::any_of(kOwners, [&](std::string_view owner) {
      return rest.starts_with(owner) &&
             std::ranges::find(kClitics, rest.substr(owner.size())) != std::end(kClitics);
    });
  };
  const bool ending = std::ranges::any_of(kCases, [&](std::string_view name) {
    return word.starts_with(name) && rest_matches(word.substr(name.size()));
  });
  if (ending) place_left(lower_case(word));
  return ending;
}

void uppercase_first(std::string& line) {
  std::size_t at = 0;
  while (at < line.size() && is(step_at(line, at).code_point, kPunctuation | kSpace))
    at += step_at(line, at).size_bytes;
  if (at == line.size() || !is(step_at(line, at).code_point, kLetter)) return;
  const std::size_t size = step_at(line, at).size_bytes;
  std::string upper;
  icu::StringByteSink<std::string> sink(&upper);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToUpper("", 0,
                            icu::StringPiece(line.data() + at, static_cast<std::int32_t>(size)),
                            sink, nullptr, status);
  if (U_FAILURE(status)) base::fail("upper case: ", icu_reason(status));
  line.replace(at, size, upper);
}

}  // namespace awend::text::moses
