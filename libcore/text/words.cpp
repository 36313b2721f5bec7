#include "text/words.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <limits>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/characters.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status) {
  if (U_FAILURE(status)) base::fail("ICU cannot find word boundaries: ", u_errorName(status));
}

}  // namespace

struct WordBreaker::State {
  std::unique_ptr<icu::BreakIterator> iterator;
  UText text = UTEXT_INITIALIZER;

  ~State() { utext_close(&text); }
};

WordBreaker::WordBreaker() : state_(std::make_unique<State>()) {
  UErrorCode status = U_ZERO_ERROR;
  state_->iterator.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  check_icu(status);
}

WordBreaker::~WordBreaker() = default;

std::string with_first_space(std::string_view line) {
  return line.empty() ? "" : base::concat(" ", line);
}

void WordBreaker::cut(std::string_view chunk, std::vector<std::string_view>& words) {
  words.clear();
  if (chunk.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
  const std::size_t first = chunk.starts_with(' ') ? 1 : 0;
  const std::string_view rest = chunk.substr(first);
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&state_->text, rest.data(), static_cast<std::int64_t>(rest.size()), &status);
  state_->iterator->setText(&state_->text, status);
  check_icu(status);
  std::size_t boundary = first + static_cast<std::size_t>(state_->iterator->first());
  std::size_t begin = 0, characters = 0;
  bool after_digit = false;
  for (std::size_t position = first; position < chunk.size();) {
    while (boundary < position)
      boundary = first + static_cast<std::size_t>(state_->iterator->next());
    const base::Utf8Step step = base::utf8_step(chunk, position);
    const bool digit = is_digit(step.code_point);
    // The space at the front goes with whatever follows it.
    const bool cut =
        boundary == position || digit || after_digit || characters == kMaxWordCharacters;
    if (cut && position > first) {
      words.push_back(chunk.substr(begin, position - begin));
      begin = position;
      characters = 0;
    }
    after_digit = digit;
    ++characters;
    position += step.size_bytes;
  }
  if (begin < chunk.size()) words.push_back(chunk.substr(begin));
}

}  // namespace awend::text
