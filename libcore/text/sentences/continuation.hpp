// Whether text after a quotation continues the sentence of the quotation: "Stop!" he said.
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include "text/sentences/characters.hpp"
#include "text/sentences/language_rules.hpp"

namespace awend::text::sentences {

/// `start`: the first character after a closing mark and white space.
bool continues_quotation(const LineCharacters& line, std::size_t start, const LanguageRules& rules);

}  // namespace awend::text::sentences
