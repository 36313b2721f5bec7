#include "text/words.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/icu_error.hpp"

namespace awend::text {
namespace {

void check_icu(UErrorCode status) {
  if (U_FAILURE(status)) base::fail("ICU cannot find word boundaries: ", icu_reason(status));
}

}  // namespace

struct WordBreaker::State {
  std::unique_ptr<icu::BreakIterator> iterator;
  UText text = UTEXT_INITIALIZER;

  ~State() { utext_close(&text); }
};

// Splits before the character at `position` if the maximum length of a word requires it, as the
// general algorithm does.
struct WordBreaker::WordCutter {
  std::string_view chunk;
  std::size_t first;  // after the leading space, which is not separated from what follows
  std::vector<std::string_view>& words;
  std::size_t begin = 0, characters = 0;

  void cut(std::size_t position) {
    if (position == first) return;
    words.push_back(chunk.substr(begin, position - begin));
    begin = position;
    characters = 0;
  }
  void add(std::size_t position, bool is_boundary) {
    if (is_boundary || characters == kMaxWordCharacters) cut(position);
    ++characters;
  }
  void finish() {
    if (begin < chunk.size()) words.push_back(chunk.substr(begin));
  }
};

WordBreaker::WordBreaker() : state_(std::make_unique<State>()) {
  UErrorCode status = U_ZERO_ERROR;
  state_->iterator.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  check_icu(status);
}

WordBreaker::~WordBreaker() = default;

namespace {

// The role of a character in words, if it is simple.
enum class WordRole : std::uint8_t {
  kOpen,    // determined by ICU
  kLetter,  // adjacent letters form one word
  kInner,   // separate, unless between letters
  kApart,   // always a separate word
};

// ICU implements UAX #29 with changes that differ between versions (for @ and the colon, for
// example), so the roles are determined by asking ICU how it splits around each character of the
// first scripts.
class WordRoles {
 public:
  WordRoles() {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> iterator(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    check_icu(status);
    icu::UnicodeString text;
    for (UChar character = 0; character < kFirstWithoutFacts; ++character) {
      for (const UChar probe : {u'a', character, u'a', u'\n', character, character, u'a', u'\n',
                                u'a', character, u'\n'}) {
        text.append(probe);
      }
    }
    iterator->setText(text);
    for (UChar character = 0; character < kFirstWithoutFacts; ++character)
      roles_[character] = role_of(character, *iterator);
  }

  /// The role of the character at `position`, and its length; kOpen if it has more than two bytes.
  WordRole at(std::string_view text, std::size_t position, std::size_t& size_bytes) const {
    const auto byte = static_cast<unsigned char>(text[position]);
    size_bytes = 1;
    if (byte < 0x80) return roles_[byte];
    if (byte >= 0xE0) return WordRole::kOpen;
    size_bytes = 2;
    const auto character = static_cast<char32_t>((byte & 0x1F) << 6 | (text[position + 1] & 0x3F));
    return character < kFirstWithoutFacts ? roles_[character] : WordRole::kOpen;
  }

 private:
  static WordRole role_of(UChar character, icu::BreakIterator& iterator) {
    if (is_digit(character)) return WordRole::kApart;  // an additional rule, for any neighbors
    const std::int32_t first = 11 * character;
    const auto is_cut = [&](std::int32_t place) { return iterator.isBoundary(first + place) != 0; };
    const int between_letters = is_cut(1) + is_cut(2);
    const int doubled = is_cut(5) + is_cut(6);
    const int last = is_cut(9);
    if (between_letters == 0 && doubled == 0 && last == 0) return WordRole::kLetter;
    if (between_letters == 0 && doubled == 2 && last == 1) return WordRole::kInner;
    if (between_letters == 2 && doubled == 2 && last == 1) return WordRole::kApart;
    return WordRole::kOpen;
  }

  std::array<WordRole, kFirstWithoutFacts> roles_;
};

}  // namespace

// Most words of most European texts do not need ICU.  Returns false without changes if ICU is
// needed.
bool WordBreaker::cut_plain(std::string_view chunk, std::size_t first,
                            std::vector<std::string_view>& words) {
  const std::size_t words_before = words.size();
  WordCutter cutter{chunk, first, words};
  static const WordRoles roles;
  WordRole before = WordRole::kApart;
  for (std::size_t position = first, size_bytes; position < chunk.size(); position += size_bytes) {
    WordRole role = roles.at(chunk, position, size_bytes);
    if (role == WordRole::kInner) {
      std::size_t next_bytes;
      const bool between_letters =
          before == WordRole::kLetter && position + size_bytes < chunk.size() &&
          roles.at(chunk, position + size_bytes, next_bytes) != WordRole::kApart;
      role = between_letters ? WordRole::kOpen : WordRole::kApart;
    }
    if (role == WordRole::kOpen) {
      words.resize(words_before);
      return false;
    }
    cutter.add(position, role == WordRole::kApart || before == WordRole::kApart);
    before = role;
  }
  cutter.finish();
  return true;
}

void WordBreaker::cut(std::string_view chunk, std::vector<std::string_view>& words) {
  words.clear();
  if (chunk.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
  const std::size_t first = chunk.starts_with(' ') ? 1 : 0;
  if (!cut_plain(chunk, first, words)) cut_by_icu(chunk, first, words);
}

void WordBreaker::cut_by_icu(std::string_view chunk, std::size_t first,
                             std::vector<std::string_view>& words) {
  WordCutter cutter{chunk, first, words};
  for (std::size_t begin = first, end; begin < chunk.size(); begin = end) {
    end = std::min(chunk.size(), begin + kMaxStretchBytes);
    while (end < chunk.size() && base::is_utf8_tail(chunk[end])) --end;
    cut_stretch(begin, end, cutter);
  }
  cutter.finish();
}

void WordBreaker::cut_stretch(std::size_t begin, std::size_t end, WordCutter& cutter) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&state_->text, cutter.chunk.data() + begin, static_cast<std::int64_t>(end - begin),
                 &status);
  state_->iterator->setText(&state_->text, status);
  check_icu(status);
  std::size_t boundary = begin + static_cast<std::size_t>(state_->iterator->first());
  bool after_digit = false;
  for (std::size_t position = begin; position < end;) {
    while (boundary < position)
      boundary = begin + static_cast<std::size_t>(state_->iterator->next());
    const base::Utf8Step step = base::utf8_step(cutter.chunk, position);
    const bool digit = is_digit(step.code_point);
    cutter.add(position, boundary == position || digit || after_digit);
    after_digit = digit;
    position += step.size_bytes;
  }
}

}  // namespace awend::text
