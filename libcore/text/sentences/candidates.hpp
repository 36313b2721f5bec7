// Places of a line where a sentence may end: the boundaries of ICU (UAX #29) and those after the
// terminators of a language.
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentences/characters.hpp"

namespace awend::text::sentences {

class Candidates {
 public:
  Candidates(const std::string& language, std::u32string_view terminators);
  ~Candidates();
  Candidates(const Candidates&) = delete;
  Candidates& operator=(const Candidates&) = delete;

  /// Indices of characters in ascending order, without 0 and the end of the line.
  const std::vector<std::size_t>& find(std::string_view line, const LineCharacters& characters);

 private:
  std::unique_ptr<icu::BreakIterator> iterator_;
  UText text_ = UTEXT_INITIALIZER;
  std::u32string_view terminators_;
  std::vector<std::size_t> found_;
};

}  // namespace awend::text::sentences
