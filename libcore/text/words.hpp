// Where one word ends and the next begins.
//
// A line is first cut before every U+0020: the space belongs to the word it precedes, so that
// joining words gives the line back.  Within such a chunk ICU's word boundaries (UAX #29, with
// dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese) decide, and every decimal digit
// is a word of its own, so that all numbers are made of ten pieces. Test:
// tests/unit/text/words_test.cpp, tests/properties/text_round_trip_test.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// A line as it is cut: with a space before it, unless it is empty, so that its first word looks
/// like any other.
std::string with_first_space(std::string_view line);

/// Calls visit(chunk) for each chunk: a space, where there is one, and all up to the next.
template <class Visit>
void for_each_chunk(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::string_view chunk = text.substr(0, text.find(' ', 1));
    visit(chunk);
    text.remove_prefix(chunk.size());
  }
}

/// Words longer than this are cut, so that the work for a line grows with its length and no faster.
inline constexpr std::size_t kMaxWordCharacters = 128;

/// One a thread.
class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();

  /// Gives the words of a chunk, as views into it.  REQUIRES: valid UTF-8.
  void cut(std::string_view chunk, std::vector<std::string_view>& words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
