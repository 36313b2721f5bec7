// A vocabulary of single characters, for models of digits.
#pragma once

#include <string>

#include "text/import.hpp"

namespace awend::tests {

/// One token for each character, in the given order.
inline text::Vocabulary digit_vocabulary(const std::string& characters) {
  text::ImportedCodes imported = {.codes = "#version: 0.2\n"};
  for (const char character : characters) imported.pieces.push_back({std::string(1, character), 1});
  return text::import_codes(imported);
}

}  // namespace awend::tests
