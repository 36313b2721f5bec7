#include "text/sentences.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <optional>

#include "text/sentences/abbreviations.hpp"
#include "text/sentences/candidates.hpp"
#include "text/sentences/characters.hpp"
#include "text/sentences/continuation.hpp"
#include "text/sentences/enclosures.hpp"
#include "text/sentences/language_rules.hpp"

namespace awend::text {
namespace {

using namespace sentences;

// The end of a sentence without the white space after it, and the beginning of the next.
struct Boundary {
  std::size_t end, start;
  bool quoted;  // a mark that closes a quotation is between the terminator and the end
};

}  // namespace

struct SentenceBreaker::State {
  explicit State(const SentenceSettings& settings)
      : language(canonical_language(settings.language)),
        rules(rules_of(language)),
        candidates(language, rules.terminators),
        abbreviations(language, settings.prefixes) {}

  // The end of the text before the white space and marks that end at a candidate.  Candidates
  // ascend; nothing between two of them is visited twice.
  std::size_t text_end(std::size_t candidate) {
    std::size_t end = candidate;
    while (end > last_candidate &&
           (line.is_white_at(end - 1) || enclosures.side(end - 1) != MarkSide::kNone))
      --end;
    if (end == last_candidate) end = last_text_end.value_or(0);
    last_candidate = candidate;
    last_text_end = end;
    return end;
  }

  // The boundary after the text that ends at `end`: closing marks are before it and opening marks
  // after it.
  Boundary boundary(std::size_t end) const {
    bool quoted = false;
    std::size_t start = line.skip_white(end);
    while (start < line.size() && enclosures.side(start) == MarkSide::kClosing) {
      quoted = true;
      end = start + 1;
      start = line.skip_white(end);
    }
    return {end, start, quoted};
  }

  // Whether a boundary is one in spite of what is around it.
  bool separates(const Boundary& found, std::string_view sentence, std::string_view rest) const {
    std::size_t letter = found.start;
    while (letter < line.size() && enclosures.side(letter) == MarkSide::kOpening)
      letter = line.skip_white(letter + 1);
    if (is_continuing_punctuation(found.start) || is_pause(found.end)) return false;
    if (letter < line.size() && is_lower(line[letter]) && !is_after_wide_terminator(found.start))
      return false;
    if (enclosures.hold(found.start)) return false;
    if (found.quoted && continues_quotation(line, found.start, rules)) return false;
    return !abbreviations.join(sentence, rest);
  }

  // Not a letter of Georgian, whose small letters begin sentences.
  static bool is_lower(char32_t letter) {
    return u_getIntPropertyValue(static_cast<UChar32>(letter), UCHAR_SENTENCE_BREAK) == U_SB_LOWER;
  }

  // Not an ellipsis, which ends in the same character.
  bool is_pause(std::size_t end) const {
    return end > 1 && rules.pauses.find(line[end - 1]) != rules.pauses.npos &&
           line[end - 1] != line[end - 2];
  }

  // After an ideographic full stop, a lowercase letter begins a name.
  bool is_after_wide_terminator(std::size_t start) const {
    static constexpr std::u32string_view kTerminators = U"\u3002\uFF61\uFF01\uFF1F";
    return start > 0 && kTerminators.find(line[start - 1]) != kTerminators.npos;
  }

  // A comma or a period can follow a quotation, but not begin a sentence; an ellipsis can.
  bool is_continuing_punctuation(std::size_t start) const {
    static constexpr std::u32string_view kMarks = U".,;:)]?!\u3001\u3002\uFF0C\uFF1B\uFF1A";
    return start < line.size() && kMarks.find(line[start]) != kMarks.npos &&
           (start + 1 == line.size() || line[start] != line[start + 1]);
  }

  std::string language;
  const LanguageRules& rules;
  LineCharacters line;
  Enclosures enclosures;
  Candidates candidates;
  Abbreviations abbreviations;
  std::size_t last_candidate = 0;  // see text_end()
  std::optional<std::size_t> last_text_end;
};

SentenceBreaker::SentenceBreaker(const SentenceSettings& settings)
    : state_(std::make_unique<State>(settings)) {}

SentenceBreaker::~SentenceBreaker() = default;

const std::vector<std::string_view>& SentenceBreaker::split(std::string_view text) {
  sentences_.clear();
  LineCharacters& line = state_->line;
  line.assign(text);
  state_->enclosures.find(line, state_->rules.longest_quotation);
  const auto between = [&](std::size_t begin, std::size_t end) {
    return text.substr(line.offset(begin), line.offset(end) - line.offset(begin));
  };
  std::size_t begin = line.skip_white(0), last = line.size();
  while (last > begin && line.is_white_at(last - 1)) --last;
  state_->last_candidate = 0;
  state_->last_text_end.reset();
  for (const std::size_t candidate : state_->candidates.find(text, line)) {
    const auto before = state_->last_text_end;
    const std::size_t end = state_->text_end(candidate);
    if (end == before) continue;  // the boundary of the candidate before
    const Boundary found = state_->boundary(end);
    if (found.end <= begin || found.start >= last) continue;
    if (!state_->separates(found, between(begin, found.end), between(found.start, last))) continue;
    sentences_.push_back(between(begin, found.end));
    begin = found.start;
  }
  if (begin < last) sentences_.push_back(between(begin, last));
  return sentences_;
}

std::string_view sentence_separator(std::string_view language) {
  static constexpr std::array<std::string_view, 3> kWithoutSpaces = {"zh", "ja", "yue"};
  return std::ranges::find(kWithoutSpaces, primary_language(language)) == kWithoutSpaces.end() ? " "
                                                                                               : "";
}

}  // namespace awend::text
