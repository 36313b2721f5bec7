// Lines cut into words as Moses' tokenizer.perl does it, and put together as detokenizer.perl does,
// byte for byte: for corpora and systems that were made with them.
//
// Neither is the other's inverse: of white space, control characters and quotes something is lost.
// A line of white space alone stays as it is, as in Moses.  Two differences are meant.  Moses'
// place holders (THISISPROTECTED000) are text like any other, and no pattern can match within one;
// and a pattern that matches nothing protects nothing, where Moses would never end.  Test:
// tests/unit/text/moses_test.cpp, with the outputs in $AWEND_CONFORMANCE/moses.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace awend::text {

struct MosesSettings {
  std::string language = "en";
  std::string prefixes = {};  // folder of lists nonbreaking_prefix.LANGUAGE, Moses'
                              // share/nonbreaking_prefixes; empty: no word is an abbreviation
  std::string protected_patterns = {};  // file of regular expressions, one a line; empty: none
  bool aggressive_hyphens = false;      // -a: well @-@ known
  bool escape = true;                   // &amp; and the like; false: -no-escape, which penn ignores
  bool penn = false;                    // -penn of both programs: Penn treebank rules, in English
  bool uppercase_first = false;         // detokenizer's -u
};

/// One a thread.
class MosesTokenizer {
 public:
  /// Error naming the folder where it has no list that can be used, "file:line: what" for a pattern
  /// that is no regular expression.
  explicit MosesTokenizer(const MosesSettings& settings);
  ~MosesTokenizer();

  /// Appends the words of a line, one space between.  REQUIRES: valid UTF-8.
  void tokenize(std::string_view line, std::string& tokens);

  /// Appends the line that such words are likely to come from.  REQUIRES: valid UTF-8.
  void detokenize(std::string_view tokens, std::string& line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
