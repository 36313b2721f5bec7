// A vocabulary with the special tokens of BERT, tokens w0, w1, …, and the continuation ##p.
#pragma once

#include <string>

#include "text/vocabulary.hpp"

namespace awend::data {

inline text::Vocabulary special_vocabulary(std::uint32_t words) {
  text::VocabularyContent content;
  content.type = text::VocabularyType::kSubwordNmt;
  for (const char* piece : {"<unk>", "</s>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
    content.pieces.push_back({piece, 0});
  for (std::uint32_t i = 0; i < words - 1; ++i)
    content.pieces.push_back({"w" + std::to_string(i), 0});
  content.pieces.push_back({"##p", 0});
  return text::Vocabulary(content);
}

}  // namespace awend::data
