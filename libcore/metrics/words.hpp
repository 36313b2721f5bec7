// Lines become the words that a metric counts.
//
// A number is comparable only if these words are exactly those of sacreBLEU, so the rules are its
// rules: "13a" is the tokenizer of NIST's mteval-v13a, "none" cuts at white space, "char" takes
// every character for a word.  White space is what Python's str.split() takes for it.  Test:
// tests/unit/metrics/words_test.cpp, against sacreBLEU's own outputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::metrics {

enum class Tokenizer { k13a, kNone, kChar };

/// The name in options and signatures: "13a", "none", "char".
std::string_view name_of(Tokenizer tokenizer);

/// The tokenizer of that name, if there is one.
std::optional<Tokenizer> tokenizer_named(std::string_view name);

/// The words of a line of UTF-8.
std::vector<std::string> words_of(std::string_view line, Tokenizer tokenizer);

}  // namespace awend::metrics
