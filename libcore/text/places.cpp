#include "text/places.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/numbers.hpp"
#include "text/spaced_words.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kWhite = " \t";

// Tokens, and the part of the line in which they are.
struct Gap {
  std::size_t first, last;  // the end exclusive
  std::size_t begin, end;
};

class Placing {
 public:
  Placing(std::string_view line, std::string_view separator) : line_(line), separator_(separator) {}

  void add(std::string_view token) {
    begins_word_.push_back(separator_.empty() ? token.starts_with(kSpaceMarker) : !goes_on_);
    goes_on_ = is_continued(token);
    surfaces_.push_back(surface_of(token));
    // The space that represents the beginning of the line is not in the line.
    if (placed_.empty() && separator_.empty() && surfaces_[0].starts_with(' '))
      surfaces_[0].erase(0, 1);
    placed_.push_back({token, std::nullopt});
  }

  std::vector<PlacedToken> place() {
    const Gap rest = narrowed({0, placed_.size(), 0, line_.size()});
    for (const Gap& gap : cut_at_words(rest)) narrowed(gap);
    return std::move(placed_);
  }

 private:
  bool is_continued(std::string_view token) const {
    return !separator_.empty() && token.size() > separator_.size() && token.ends_with(separator_);
  }

  // The text that a token stands for.
  std::string surface_of(std::string_view token) const {
    if (token.size() == 6 && token.starts_with("<0x") && token.ends_with('>')) {
      if (const auto byte = base::find_hexadecimal_byte(token.substr(3, 2)))
        return std::string(1, static_cast<char>(*byte));
    }
    if (is_continued(token)) token.remove_suffix(separator_.size());
    std::string surface(token);
    if (!separator_.empty()) return surface;
    for (std::size_t at = 0; (at = surface.find(kSpaceMarker, at)) != std::string::npos; ++at)
      surface.erase(at + 1, kSpaceMarker.size() - 1), surface[at] = ' ';
    return surface;
  }

  // Places the first tokens of a gap as long as each is at its beginning, then the last ones as
  // long as each is at its end.  Returns the gap that is left: its outermost tokens were
  // normalized.
  Gap narrowed(Gap gap) {
    while (gap.first < gap.last && place_first(gap)) {
    }
    while (gap.first < gap.last && place_last(gap)) {
    }
    return gap;
  }

  bool place_first(Gap& gap) {
    const std::string_view surface = surfaces_[gap.first];
    const std::string_view rest = line_.substr(gap.begin, gap.end - gap.begin);
    std::size_t begin = 0;
    if (!rest.starts_with(surface)) {
      // After more white space, of which the last character is that of the token.
      const auto [space, text] = divided(surface);
      const std::size_t white = std::min(rest.find_first_not_of(kWhite), rest.size());
      if (white < space || text.empty() || !rest.substr(white).starts_with(text)) return false;
      begin = white - space;
    }
    gap.begin += begin;
    set(gap.first++, gap.begin);
    gap.begin += surface.size();
    return true;
  }

  bool place_last(Gap& gap) {
    const std::string_view surface = surfaces_[gap.last - 1];
    const std::string_view rest = line_.substr(gap.begin, gap.end - gap.begin);
    std::size_t begin = rest.size() - surface.size();
    if (!rest.ends_with(surface)) {
      const auto [space, text] = divided(surface);
      const std::size_t end = rest.find_last_not_of(kWhite) + 1;  // 0 if there is none
      if (text.empty() || !rest.substr(0, end).ends_with(text)) return false;
      begin = end - text.size();
      if (space > 0 && begin == 0 && gap.begin == 0) {
        surfaces_[gap.last - 1].erase(0, 1);  // after a control symbol, as in add()
      } else {
        if (space > begin || (space > 0 && kWhite.find(rest[begin - 1]) == kWhite.npos))
          return false;
        begin -= space;
      }
    }
    gap.end = gap.begin + begin;
    set(--gap.last, gap.end);
    return true;
  }

  // The number of spaces before the text of a token, and the text.
  static std::pair<std::size_t, std::string_view> divided(std::string_view surface) {
    const std::size_t space = surface.starts_with(' ') ? 1 : 0;
    return {space, surface.substr(space)};
  }

  void set(std::size_t token, std::size_t begin) {
    placed_[token].place = {{begin, begin + surfaces_[token].size()}};
  }

  // Cuts a gap where words begin that it has once, in the line as well as in the tokens.
  std::vector<Gap> cut_at_words(const Gap& gap) const {
    struct Word {
      std::size_t count = 0, begin = 0;
    };
    std::unordered_map<std::string_view, Word> in_line;
    for_each_word(line_.substr(gap.begin, gap.end - gap.begin), [&](std::string_view word) {
      auto& [count, begin] = in_line[word];
      ++count;
      begin = static_cast<std::size_t>(word.data() - line_.data());
    });
    std::vector<std::pair<std::string, std::size_t>> words;  // with the first token
    std::unordered_map<std::string_view, std::size_t> in_tokens;
    for (std::size_t i = gap.first; i < gap.last; ++i) {
      if (begins_word_[i]) words.emplace_back("", i);
      if (!words.empty()) words.back().first += divided(surfaces_[i]).second;
    }
    for (const auto& word : words) ++in_tokens[word.first];
    std::vector<Gap> gaps;
    Gap next = gap;
    for (const auto& [text, first] : words) {
      const auto found = in_line.find(text);
      if (found == in_line.end() || found->second.count != 1 || in_tokens[text] != 1) continue;
      const std::size_t begin = found->second.begin;
      if (begin < next.begin) continue;
      const bool has_space = surfaces_[first].starts_with(' ') && begin > next.begin;
      next.last = first;
      next.end = begin - (has_space ? 1 : 0);
      gaps.push_back(next);
      next = {first, gap.last, next.end, gap.end};
    }
    gaps.push_back(next);
    return gaps;
  }

  std::string_view line_, separator_;
  bool goes_on_ = false;  // the last token continues in the next one
  std::vector<bool> begins_word_;
  std::vector<std::string> surfaces_;
  std::vector<PlacedToken> placed_;
};

}  // namespace

std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator) {
  Placing placing(line, separator);
  for_each_word(tokens, [&](std::string_view token) { placing.add(token); });
  return placing.place();
}

}  // namespace awend::text
