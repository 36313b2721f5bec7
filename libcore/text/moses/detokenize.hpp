// Detokenization as in Moses' detokenizer.perl: word by word, each with or without a space before
// it.  Test: tests/unit/text/moses/moses_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace awend::text::moses {

/// Each thread has its own.
class Detokenizer {
 public:
  /// Penn words are English for every language.
  enum class Words { kPlain, kPenn };
  Detokenizer(std::string_view language, Words words);

  /// The text of the words in `tokens`.
  std::string join(std::string_view tokens);

 private:
  enum class Language { kOther, kEnglish, kFrench, kItalian, kCzech, kFinnish, kKorean };

  void place_plain_words();
  void place_penn_words();
  // Each returns whether it has placed the i-th word.
  bool place_cjk(std::size_t i);
  bool place_punctuation(std::size_t i);
  bool place_contraction(std::size_t i);
  bool place_czech_dash(std::size_t& i);
  bool place_quote(std::size_t i);
  bool place_finnish_ending(std::size_t i);
  bool place_penn_quote(std::size_t i);
  void place_right(std::string_view word);  // attaches to the next word
  void place_left(std::string_view word);   // attaches to the previous word
  void place(std::string_view word);

  Language language_;
  bool penn_;
  std::vector<std::string_view> words_;
  std::unordered_map<std::string, std::size_t> quotes_;  // number of occurrences so far
  std::string line_;
  bool space_ = true;  // before the next word
};

/// Capitalizes the first letter of the line, after punctuation and white space.
void uppercase_first(std::string& line);

}  // namespace awend::text::moses
