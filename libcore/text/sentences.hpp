// The sentences of a line: boundaries by Unicode's rules (UAX #29), without those after
// abbreviations.
//
// Abbreviations are those that ICU knows for the language (from CLDR), single capital letters, and
// the words of Moses' list if a directory of such lists is given.  Test:
// tests/unit/text/sentences_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

struct SentenceSettings {
  std::string language = "en";
  std::string prefixes = {};  // directory of lists, as in MosesSettings; empty: none
};

/// Each thread has its own.
class SentenceBreaker {
 public:
  /// Error naming the directory if it has no usable list.
  explicit SentenceBreaker(const SentenceSettings& settings);
  ~SentenceBreaker();

  /// The sentences of `line` in order, without the white space around them; none if there is
  /// nothing else.  Views into `line`.  Requires: valid UTF-8.
  const std::vector<std::string_view>& split(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::vector<std::string_view> sentences_;
};

/// What separates two sentences of a line: nothing in languages that are written without spaces.
std::string_view sentence_separator(std::string_view language);

}  // namespace awend::text
