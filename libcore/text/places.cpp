#include "text/places.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/format.hpp"
#include "base/numbers.hpp"
#include "text/folded_text.hpp"
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
  Placing(std::string_view line, std::string_view separator, std::string_view continuation,
          Folding folding)
      : folding_(folding),
        folded_(line, folding),
        line_(folded_.text()),
        separator_(separator),
        continuation_(continuation) {}

  void add(std::string_view token) {
    begins_word_.push_back(begins_word(token));
    word_continues_ = is_continued(token);
    surfaces_.push_back(FoldedText(surface_of(token), folding_).text());
    // The space that represents the beginning of the line is not in the line.
    if (placed_.empty() && has_markers() && surfaces_[0].starts_with(' ')) surfaces_[0].erase(0, 1);
    placed_.push_back({token, std::nullopt});
  }

  std::vector<PlacedToken> place() {
    for (const Gap& gap : cut_at_words(narrowed({0, placed_.size(), 0, line_.size()})))
      search(narrowed(gap));
    for (auto& [token, place] : placed_) {
      if (place) place = place_in_original(*place);
    }
    return std::move(placed_);
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  std::optional<Place> place_in_original(const Place& place) const {
    const auto begin = folded_.origin(place.first), end = folded_.origin(place.second);
    return begin && end ? std::optional<Place>({*begin, *end}) : std::nullopt;
  }

  // Whether tokens mark spaces.
  bool has_markers() const { return separator_.empty() && continuation_.empty(); }

  bool is_continued(std::string_view token) const {
    return !separator_.empty() && token.size() > separator_.size() && token.ends_with(separator_);
  }

  bool is_continuation(std::string_view token) const {
    return !continuation_.empty() && token.size() > continuation_.size() &&
           token.starts_with(continuation_);
  }

  bool begins_word(std::string_view token) const {
    return has_markers() ? token.starts_with(kSpaceMarker)
                         : !word_continues_ && !is_continuation(token);
  }

  // The text that a token stands for.
  std::string surface_of(std::string_view token) const {
    if (token.size() == 6 && token.starts_with("<0x") && token.ends_with('>')) {
      if (const auto byte = base::find_hexadecimal_byte(token.substr(3, 2)))
        return std::string(1, static_cast<char>(*byte));
    }
    if (is_continued(token)) token.remove_suffix(separator_.size());
    if (is_continuation(token)) token.remove_prefix(continuation_.size());
    return has_markers() ? base::replaced(token, kSpaceMarker, " ") : std::string(token);
  }

  // The number of spaces before the text of a token, and the text.
  static std::pair<std::size_t, std::string_view> divided(std::string_view surface) {
    const std::size_t space = surface.starts_with(' ') ? 1 : 0;
    return {space, surface.substr(space)};
  }

  // Where a token is if it begins at `begin`, or after white space there, whose last character is
  // then that of the token.  At the beginning of the line, its space is not in the line.
  std::optional<Place> at_begin(std::size_t token, std::size_t begin, std::size_t end) const {
    const std::string_view surface = surfaces_[token], rest = line_.substr(begin, end - begin);
    if (rest.starts_with(surface)) return Place{begin, begin + surface.size()};
    const auto [space, text] = divided(surface);
    const std::size_t white = std::min(rest.find_first_not_of(kWhite), rest.size());
    if (text.empty() || !rest.substr(white).starts_with(text)) return std::nullopt;
    if (space > white && begin > 0) return std::nullopt;
    begin += white;
    return Place{begin - std::min(space, white), begin + text.size()};
  }

  // The same of a token that ends at `end`, or before white space there.
  std::optional<Place> at_end(std::size_t token, std::size_t begin, std::size_t end) const {
    const std::string_view surface = surfaces_[token], rest = line_.substr(begin, end - begin);
    if (rest.ends_with(surface)) return Place{end - surface.size(), end};
    const auto [space, text] = divided(surface);
    const std::string_view trimmed = rest.substr(0, rest.find_last_not_of(kWhite) + 1);
    if (text.empty() || !trimmed.ends_with(text)) return std::nullopt;
    end = begin + trimmed.size();
    std::size_t first = end - text.size();
    if (space > 0 && first > begin && kWhite.find(line_[first - 1]) != kWhite.npos)
      --first;
    else if (space > 0 && first > 0)
      return std::nullopt;
    return Place{first, end};
  }

  bool place_first(Gap& gap) {
    const auto place = at_begin(gap.first, gap.begin, gap.end);
    if (!place) return false;
    placed_[gap.first++].place = place;
    gap.begin = place->second;
    return true;
  }

  bool place_last(Gap& gap) {
    const auto place = at_end(gap.last - 1, gap.begin, gap.end);
    if (!place) return false;
    placed_[--gap.last].place = place;
    gap.end = place->first;
    return true;
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

  // Whether a place that was searched is that of the token, and not of another like it: the text of
  // punctuation may be anywhere.
  bool is_certain(std::size_t token, const Gap& gap, std::size_t end) const {
    const auto is_letter = [](char byte) {
      const char lower = static_cast<char>(byte | 0x20);
      return static_cast<unsigned char>(byte) >= 0x80 || (lower >= 'a' && lower <= 'z') ||
             (byte >= '0' && byte <= '9');
    };
    const std::string_view surface = surfaces_[token];
    const bool is_byte = surface.size() == 1 && static_cast<unsigned char>(surface[0]) >= 0x80;
    if (!is_byte && std::ranges::any_of(surface, is_letter)) return true;
    return token + 1 < gap.last && at_begin(token + 1, end, gap.end).has_value();
  }

  // Places tokens of a gap whose first one was normalized: each is next to the one before it, or a
  // little later.
  void search(Gap gap) {
    constexpr std::size_t kReach = 16, kFarthest = 256;  // bytes; the first for each lost token
    std::size_t reach = 0;
    while (gap.first < gap.last) {
      if (place_first(gap)) {
        reach = 0;
        continue;
      }
      const std::string_view surface = surfaces_[gap.first];
      const std::string_view near = line_.substr(
          gap.begin, std::min(gap.end - gap.begin, reach == 0 ? 0 : reach + surface.size()));
      const std::size_t found = surface.empty() ? near.npos : near.find(surface);
      if (found != near.npos && is_certain(gap.first, gap, gap.begin + found + surface.size())) {
        gap.begin += found;
        reach = 0;
      } else {
        ++gap.first;
        reach = std::min(reach + kReach, kFarthest);
      }
    }
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

  Folding folding_;
  FoldedText folded_;
  std::string_view line_, separator_, continuation_;
  bool word_continues_ = false;  // the last token continues in the next one
  std::vector<bool> begins_word_;
  std::vector<std::string> surfaces_;
  std::vector<PlacedToken> placed_;
};

bool is_placed(const PlacedToken& token) {
  return token.place.has_value();
}

// Takes the places of `others` for tokens without one, where they are between those before and
// after.
void complete(std::vector<PlacedToken>& placed, const std::vector<PlacedToken>& others) {
  std::size_t end = 0;  // of the last place
  auto next = placed.begin();
  for (std::size_t i = 0; i < placed.size(); ++i) {
    auto& place = placed[i].place;
    if (!place) {
      const auto other = others[i].place;
      next = std::find_if(std::max(next, placed.begin() + static_cast<std::ptrdiff_t>(i)),
                          placed.end(), is_placed);
      const bool fits = other && other->first >= end &&
                        (next == placed.end() || other->second <= next->place->first);
      if (fits) place = other;
    }
    if (place) end = place->second;
  }
}

}  // namespace

std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator, std::string_view continuation) {
  std::vector<PlacedToken> placed;
  for (const auto folding : {Folding::kNone, Folding::kCompatibility, Folding::kLetters}) {
    Placing placing(line, separator, continuation, folding);
    for_each_word(tokens, [&](std::string_view token) { placing.add(token); });
    auto others = placing.place();
    if (std::ranges::count_if(others, is_placed) > std::ranges::count_if(placed, is_placed) ||
        placed.empty()) {
      std::swap(placed, others);
    }
    if (!others.empty()) complete(placed, others);
    if (std::ranges::all_of(placed, is_placed)) break;
  }
  return placed;
}

}  // namespace awend::text
