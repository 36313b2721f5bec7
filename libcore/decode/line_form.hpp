// What the lines that are translated are.
#pragma once

namespace awend::decode {

enum class LineForm {
  kRaw,     ///< Text, which the model's vocabularies split and join.
  kTokens,  ///< Tokens of the vocabulary with spaces between them.
};

}  // namespace awend::decode
