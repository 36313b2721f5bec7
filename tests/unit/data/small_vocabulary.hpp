// A vocabulary for tests of corpora.
#pragma once

#include "base/concat.hpp"
#include "text/vocabulary.hpp"

namespace awend::data {

/// The pieces a, b and c, and the requested number of others.
inline text::Vocabulary vocabulary(std::uint32_t more = 0) {
  text::VocabularyContent content;
  content.pieces = text::special_pieces();
  for (const char* piece : {"a", "b", "c"}) content.pieces.push_back({piece, 1});
  for (std::uint32_t i = 0; i < more; ++i) content.pieces.push_back({base::concat("w", i), 1});
  return text::Vocabulary(content);
}

inline const text::Vocabulary& small() {
  static const auto made = vocabulary();
  return made;
}

}  // namespace awend::data
