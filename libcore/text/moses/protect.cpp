#include "text/moses/protect.hpp"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <unordered_set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "text/icu_error.hpp"
#include "text/moses/characters.hpp"
#include "text/pattern.hpp"

namespace awend::text::moses {
namespace {

// The limit of the heap memory of a regular expression for backtracking.
constexpr std::int32_t kMaxStackBytes = 1 << 29;

struct Place {
  std::size_t end;
  std::uint32_t found;  // index of the text
};
using Places = std::map<std::size_t, Place>;

// Texts sorted by bytes, so that all texts at a position are found in one pass.
class TextIndex {
 public:
  explicit TextIndex(const std::vector<std::string>& texts) {
    for (std::uint32_t i = 0; i < texts.size(); ++i) sorted_.emplace_back(texts[i], i);
    std::ranges::sort(sorted_);
    for (std::size_t i = sorted_.size(); i-- > 0;) {
      const auto first = static_cast<unsigned char>(sorted_[i].text[0]);
      if (begin_[first] == end_[first]) end_[first] = i + 1;
      begin_[first] = i;
    }
  }

  /// Calls visit(number) for each text that `rest` begins with.
  template <class Visit>
  void at_front(std::string_view rest, const Visit& visit) const {
    const auto first = static_cast<unsigned char>(rest[0]);
    auto low = sorted_.begin() + static_cast<std::ptrdiff_t>(begin_[first]);
    auto high = sorted_.begin() + static_cast<std::ptrdiff_t>(end_[first]);
    for (std::size_t depth = 1; low != high; ++depth) {
      if (low->text.size() == depth) visit((low++)->number);
      if (low == high || depth == rest.size()) return;
      const auto byte = [&](const Entry& entry) {
        return static_cast<unsigned char>(entry.text[depth]);
      };
      const auto same =
          std::ranges::equal_range(low, high, static_cast<unsigned char>(rest[depth]), {}, byte);
      low = same.begin();
      high = same.end();
    }
  }

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t number;
    Entry(std::string_view t, std::uint32_t n) : text(t), number(n) {}
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> sorted_;
  std::array<std::size_t, 256> begin_{}, end_{};
};

// The positions of the texts: earlier texts first, each from left to right, without overlap.
Places choose_places(std::string_view line, const std::vector<std::string>& texts) {
  const TextIndex index(texts);
  std::vector<std::vector<std::size_t>> begins(texts.size());
  for (std::size_t at = 0; at < line.size(); ++at) {
    index.at_front(line.substr(at), [&](std::uint32_t number) { begins[number].push_back(at); });
  }
  Places places;
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    for (const std::size_t begin : begins[number]) {
      const std::size_t end = begin + texts[number].size();
      const auto behind = places.lower_bound(begin);
      const bool free = (behind == places.end() || behind->first >= end) &&
                        (behind == places.begin() || std::prev(behind)->second.end <= begin);
      if (free) places.emplace_hint(behind, begin, Place{end, number});
    }
  }
  return places;
}

}  // namespace

struct Protector::Pattern {
  std::string place;  // file:line
  std::unique_ptr<icu::RegexPattern> pattern;
  std::unique_ptr<icu::RegexMatcher> matcher;

  Pattern(std::string_view expression, std::string where) : place(std::move(where)) {
    UParseError parse{};
    UErrorCode status = U_ZERO_ERROR;
    const auto source = icu::UnicodeString::fromUTF8(
        icu::StringPiece(expression.data(), static_cast<std::int32_t>(expression.size())));
    pattern.reset(icu::RegexPattern::compile(source, 0, parse, status));
    if (U_FAILURE(status)) {
      base::fail(place, ": bad regular expression near character ", parse.offset, ": ",
                 icu_reason(status));
    }
    matcher.reset(pattern->matcher(status));
    if (U_SUCCESS(status)) matcher->setStackLimit(kMaxStackBytes, status);
    check(status);
  }

  void check(UErrorCode status) const {
    if (U_FAILURE(status)) base::fail(place, ": the expression failed: ", icu_reason(status));
  }

  // Calls visit(match) for the matches from left to right; each search sees only the text after the
  // previous match.
  template <class Visit>
  void find_all(const icu::UnicodeString& text, const Visit& visit) {
    UErrorCode status = U_ZERO_ERROR;
    matcher->setTimeLimit(regex_steps(static_cast<std::size_t>(text.length())), status);
    matcher->reset(text);
    for (std::int32_t from = 0; from < text.length();) {
      matcher->region(from, text.length(), status);
      const bool found = matcher->find(status);
      check(status);
      if (!found) return;
      const std::int32_t begin = matcher->start(status), end = matcher->end(status);
      check(status);
      if (end > begin) {
        std::string match;
        visit(text.tempSubStringBetween(begin, end).toUTF8String(match));
      }
      from = end > begin ? end : text.moveIndex32(begin, 1);
    }
  }
};

Protector::Protector() = default;
Protector::~Protector() = default;
Protector::Protector(Protector&&) noexcept = default;
Protector& Protector::operator=(Protector&&) noexcept = default;

Protector::Protector(const std::string& path) {
  base::LineReader lines(path, base::InvalidUtf8::kError, {.file_bytes = base::kMaxSettingsBytes});
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    patterns_.emplace_back(line, lines.place());
  }
}

std::vector<std::string> Protector::find_all(std::string_view text) {
  if (text.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
  // ICU is twice as fast on UTF-16, and matches are rare.
  const auto wide = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  std::vector<std::string> found;
  std::unordered_set<std::string> known;
  for (Pattern& pattern : patterns_) {
    pattern.find_all(wide, [&](const std::string& match) {
      if (known.insert(match).second) found.push_back(match);
    });
  }
  return found;
}

void Protector::mark(Work& work) {
  texts_.clear();
  if (patterns_.empty()) return;
  const std::string line = base::concat(" ", work.text, " ");
  const std::vector<std::string> found = find_all(line);
  if (found.empty()) return;
  std::size_t begin = 0;
  for (const auto& [at, place] : choose_places(line, found)) {
    work.next.append(line, begin, at - begin);
    work.next += {' ', kProtectedMark, ' '};
    texts_.push_back(found[place.found]);
    begin = place.end;
  }
  work.next.append(line, begin);
  work.take();
}

}  // namespace awend::text::moses
