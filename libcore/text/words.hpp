// Splitting lines into words.
//
// A nonempty line gets a leading space and is split before every U+0020: the space belongs to the
// word after it, so that concatenating the words gives the line.  Within such a chunk, the word
// boundaries of ICU (UAX #29, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and
// Burmese) apply, and every decimal digit is a separate word, so that all numbers consist of ten
// pieces. Test: tests/unit/text/words_test.cpp, tests/properties/text_round_trip_test.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// Calls visit(field) for the text before, between and after the spaces of `text`: once more than
/// there are spaces.
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

/// Longer words are split, so that the time for a line is linear in its length.
inline constexpr std::size_t kMaxWordCharacters = 128;

/// Text without spaces is passed to ICU in blocks of this many bytes, because a dictionary needs
/// memory for all of its input.
inline constexpr std::size_t kMaxStretchBytes = 64 * 1024;

/// Each thread has its own.
class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();

  /// Returns the words of a chunk, as views into it.  Requires: valid UTF-8.
  void cut(std::string_view chunk, std::vector<std::string_view>& words);
  /// The same without the fast path for simple words; `first` is after the leading space.
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
