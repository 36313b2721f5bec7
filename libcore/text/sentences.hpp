// The sentences of a line: boundaries by Unicode's rules (UAX #29), corrected by the rules of
// text/sentences: marks that open and close (enclosures.hpp), text after quotations
// (continuation.hpp), abbreviations (abbreviations.hpp) and single languages (language_rules.hpp).
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

struct SentenceSettings {
  std::string language = "en";  // of two or three letters, also with a script or a region
  std::string prefixes = {};    // directory of lists, as in MosesSettings; empty: none
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

/// What separates two sentences of a line: nothing in Chinese and Japanese.
std::string_view sentence_separator(std::string_view language);

}  // namespace awend::text
