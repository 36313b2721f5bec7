#include "text/piece_words.hpp"

#include "text/bert/word_pieces.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kWordBegin = "\u2581";

}  // namespace

std::vector<std::uint32_t> words_of_pieces(const Vocabulary& vocabulary,
                                           std::span<const std::string_view> tokens) {
  const bool codes = vocabulary.type() == VocabularyType::kSubwordNmt;
  const bool bert = vocabulary.type() == VocabularyType::kBert;
  const std::string& separator = vocabulary.content().separator;
  // Without a model of SentencePiece, each token of a list is a word.
  const bool words_only =
      vocabulary.type() == VocabularyType::kTokens && vocabulary.content().model.empty();
  const bool has_signs = !codes && !bert && !words_only;
  std::vector<std::uint32_t> words;
  std::uint32_t word = 0;
  bool is_empty = true;  // the word, so far
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool begins = codes  ? !tokens[i - (i > 0 ? 1 : 0)].ends_with(separator)
                        : bert ? !tokens[i].starts_with(BertPieces::kContinuation)
                               : words_only || tokens[i].starts_with(kWordBegin);
    if (begins && !is_empty) {
      ++word;
      is_empty = true;
    }
    is_empty = is_empty && has_signs && tokens[i] == kWordBegin;
    words.push_back(word);
  }
  // Spaces at the end of the line belong to its last word.
  for (std::size_t i = words.size(); is_empty && word > 0 && i > 0 && words[i - 1] == word; --i)
    words[i - 1] = word - 1;
  return words;
}

}  // namespace awend::text
