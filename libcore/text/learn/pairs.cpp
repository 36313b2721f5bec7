// A vocabulary of byte pairs: the characters of the text, followed by the merged pieces.
#include "base/utf8.hpp"
#include "text/learn/learn.hpp"
#include "text/learn/pair_learner.hpp"

namespace awend::text {
namespace {

SymbolWords symbol_words(std::span<const WordCount> words, std::span<const Piece> alphabet,
                         std::pmr::memory_resource* memory) {
  const AlphabetIndex index(alphabet);
  SymbolWords parts(memory);
  for (const WordCount& word : words) {
    index.for_each(word.word, [&](std::uint32_t symbol, std::string_view) {
      if (symbol != AlphabetIndex::kNone) {
        parts.symbols.push_back(symbol);
      } else {
        parts.end_word(word.count);
      }
    });
    parts.end_word(word.count);
  }
  return parts;
}

}  // namespace

VocabularyContent learn_pairs(std::span<const WordCount> words, std::span<const Piece> alphabet,
                              const LearnSettings& settings, const LearnProgress& progress) {
  const std::uint32_t first = first_learned(settings);
  std::vector<std::string> texts;
  for (const Piece& character : alphabet) texts.push_back(character.text);
  const auto merges = learn_merges(symbol_words(words, alphabet, settings.memory), texts,
                                   {.max_symbols = settings.size - first,
                                    .min_frequency = settings.min_frequency,
                                    .progress = [&](std::size_t, std::size_t symbols) {
                                      progress(static_cast<std::uint32_t>(first + symbols));
                                    }});
  VocabularyContent content = first_pieces(settings);
  for (std::string& text : texts) content.pieces.push_back({std::move(text), 0});
  for (const LearnedMerge& merge : merges)
    content.merges.push_back({first + merge.left, first + merge.right, first + merge.result});
  return content;
}

}  // namespace awend::text
