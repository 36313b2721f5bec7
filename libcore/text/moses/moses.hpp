// Tokenization as in Moses' tokenizer.perl and detokenization as in detokenizer.perl, byte for
// byte, for corpora and systems that were created with them.
//
// Neither is the inverse of the other: some white space, control characters and quotes are lost. A
// line of white space is kept, as in Moses.  There are two intended differences.  Moses'
// placeholders (THISISPROTECTED000) are ordinary text, and no pattern can match within one; and a
// pattern that matches the empty string protects nothing, where Moses would not terminate.  Test:
// tests/unit/text/moses/moses_test.cpp, with the outputs in $AWEND_CONFORMANCE/moses.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace awend::text {

struct MosesSettings {
  std::string language = "en";
  // Directory of Moses' lists nonbreaking_prefix.LANGUAGE, its share/nonbreaking_prefixes; empty:
  // no word is an abbreviation.
  std::string prefixes = {};
  std::string protected_patterns = {};  // file of regular expressions, one per line; empty: none
  bool aggressive_hyphens = false;      // -a: well @-@ known
  bool escape = true;                   // &amp; and others; false: -no-escape, which penn ignores
  bool penn = false;                    // -penn of both programs: Penn treebank rules, in English
  bool uppercase_first = false;         // detokenizer's -u
};

/// Each thread has its own.
class MosesTokenizer {
 public:
  /// Error naming the directory if it has no usable list, "file:line: what" for an invalid regular
  /// expression.
  explicit MosesTokenizer(const MosesSettings& settings);
  ~MosesTokenizer();

  /// Appends the words of a line, separated by spaces.  Requires: valid UTF-8.
  void tokenize(std::string_view line, std::string& tokens);

  /// Appends the text of such words.  Requires: valid UTF-8.
  void detokenize(std::string_view tokens, std::string& line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
