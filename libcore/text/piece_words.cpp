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
  std::vector<std::uint32_t> words;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool begins = codes  ? !tokens[i - (i > 0 ? 1 : 0)].ends_with(separator)
                        : bert ? !tokens[i].starts_with(BertPieces::kContinuation)
                               : words_only || tokens[i].starts_with(kWordBegin);
    if (i > 0 && begins) ++word;
    words.push_back(word);
  }
  return words;
}

}  // namespace awend::text
