// Words separated by spaces: the tokens of a token line, and the words of subword-nmt, which first
// removes CR, LF and U+0020 from both ends of a line.  Test:
// tests/unit/text/subword_nmt/subword_nmt_test.cpp.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// The white space at both ends of a line, and the text between; a line of white space is all in
/// front.
struct Trimmed {
  std::string_view before, words, after;
};

inline Trimmed trim(std::string_view line) {
  constexpr std::string_view kWhite = "\r\n ";
  const std::size_t begin = std::min(line.find_first_not_of(kWhite), line.size());
  const std::size_t end = std::max(line.find_last_not_of(kWhite) + 1, begin);
  return {line.substr(0, begin), line.substr(begin, end - begin), line.substr(end)};
}

/// Calls visit(word) for each word between spaces; runs of spaces count as one.
template <class Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::size_t size = std::min(words.find(' '), words.size());
    if (size > 0) visit(words.substr(0, size));
    words.remove_prefix(std::min(size + 1, words.size()));
  }
}

inline std::vector<std::string> spaced_words(std::string_view line) {
  std::vector<std::string> words;
  for_each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

}  // namespace awend::text
