#include "text/markup/substitutes.hpp"

#include "text/protected_spans.hpp"

namespace awend::text {
namespace {

// Consonants that are rare as words, in languages with this script.
constexpr std::string_view kLetters = "XZQWKVJH";
constexpr std::size_t kMaxRepetitions = 4;

bool is_letter_of(char byte, char capital) {
  return byte == capital || byte == static_cast<char>(capital + ('a' - 'A'));
}

}  // namespace

Substitutes::Substitutes(const std::vector<std::string_view>& texts) {
  for (const char letter : kLetters) {
    bool is_used = false;
    for (const auto text : texts) {
      for (std::size_t length = 1; length <= kMaxRepetitions && !is_used; ++length)
        is_used = !find_substitute(std::string(length, letter), text).empty();
    }
    if (!is_used) letters_ += letter;
  }
}

std::optional<std::string> Substitutes::next() {
  const std::size_t number = given_;
  if (number >= letters_.size() * kMaxRepetitions) return std::nullopt;
  ++given_;
  return std::string(number / letters_.size() + 1, letters_[number % letters_.size()]);
}

std::vector<TextRange> find_substitute(std::string_view substitute, std::string_view text) {
  std::vector<TextRange> places;
  const char letter = substitute.front();
  for (std::size_t begin = 0, end; begin < text.size(); begin = end) {
    end = begin + 1;
    if (!is_letter_of(text[begin], letter)) continue;
    while (end < text.size() && is_letter_of(text[end], letter)) ++end;
    const bool is_word = (begin == 0 || !is_latin_word(text, begin - 1)) &&
                         (end == text.size() || !is_latin_word(text, end));
    if (is_word && end - begin == substitute.size()) places.push_back({begin, end});
  }
  return places;
}

}  // namespace awend::text
