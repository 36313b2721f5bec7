// Where one word ends and the next begins.
//
// A line gets a space in front, unless it is empty, and is cut before every U+0020: the space
// belongs to the word it precedes, so that joining words gives the line back.  Within such a chunk
// ICU's word boundaries (UAX #29, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and
// Burmese) decide, and every decimal digit is a word of its own, so that all numbers are made of
// ten pieces. Test: tests/unit/text/words_test.cpp, tests/properties/text_round_trip_test.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// Calls visit(field) for what stands before, between and behind the spaces of `text`: once more
/// than there are spaces.
template <class Visit>
void for_each_field(std::string_view text, const Visit& visit) {
  while (true) {
    const void* space = text.empty() ? nullptr : std::memchr(text.data(), ' ', text.size());
    if (space == nullptr) return visit(text);
    const auto size_bytes = static_cast<std::size_t>(static_cast<const char*>(space) - text.data());
    visit(text.substr(0, size_bytes));
    text.remove_prefix(size_bytes + 1);
  }
}

/// Words longer than this are cut, so that the work for a line grows with its length and no faster.
inline constexpr std::size_t kMaxWordCharacters = 128;

/// What has no space is shown to ICU in stretches of so many bytes, because a dictionary wants
/// memory for all that it sees at once.
inline constexpr std::size_t kMaxStretchBytes = 64 * 1024;

/// One a thread.
class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();

  /// Gives the words of a chunk, as views into it.  REQUIRES: valid UTF-8.
  void cut(std::string_view chunk, std::vector<std::string_view>& words);
  /// The same without the short way for plain words; `first` is behind the space at the front.
  void cut_by_icu(std::string_view chunk, std::size_t first, std::vector<std::string_view>& words);

 private:
  struct State;
  struct WordCutter;
  static bool cut_plain(std::string_view chunk, std::size_t first,
                        std::vector<std::string_view>& words);
  void cut_stretch(std::size_t begin, std::size_t end, WordCutter& cutter);

  std::unique_ptr<State> state_;
};

}  // namespace awend::text
