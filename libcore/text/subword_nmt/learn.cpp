#include "text/subword_nmt/learn.hpp"

#include <unordered_map>

#include "base/utf8.hpp"
#include "text/learn/pair_learner.hpp"
#include "text/spaced_words.hpp"
#include "text/subword_nmt/vocabulary.hpp"

namespace awend::text {
namespace {

// Words as symbols: numbers in the order in which symbols first appear.
class SymbolMaker {
 public:
  SymbolMaker(bool bytes, std::pmr::memory_resource* memory) : bytes_(bytes), words_(memory) {}

  void add(std::string_view word, std::uint64_t count) {
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t size = bytes_ ? 1 : base::utf8_step(word, at).size_bytes;
      text_ = word.substr(at, size);
      at += size;
      if (at == word.size()) text_ += kEndOfWord;
      const auto [place, is_new] = ids_.emplace(text_, static_cast<std::uint32_t>(texts.size()));
      if (is_new) texts.push_back(text_);
      words_.symbols.push_back(place->second);
    }
    words_.end_word(count);
  }
  SymbolWords take_words() { return std::move(words_); }

  std::vector<std::string> texts;  // of the symbols

 private:
  bool bytes_;
  std::string text_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  SymbolWords words_;
};

}  // namespace

CountTable read_dictionary(std::string_view content, const std::string& name) {
  CountTable words;
  for (const PieceCount& word : parse_counts(content, name, "word"))
    words.add(word.piece, word.count);
  return words;
}

SubwordNmtCodes learn_codes(std::span<const WordCount> words,
                            const SubwordNmtLearnSettings& settings) {
  SymbolMaker maker(settings.bytes, settings.memory);
  for (const WordCount& word : words) maker.add(word.word, word.count);
  std::size_t merges = settings.merges;
  if (settings.total_symbols) merges -= std::min(merges, maker.texts.size());
  SubwordNmtCodes codes;
  codes.bytes = settings.bytes;
  const auto learnt = learn_merges(maker.take_words(), maker.texts,
                                   {.max_merges = merges,
                                    .min_frequency = settings.min_frequency,
                                    .progress = [&](std::size_t done, std::size_t) {
                                      if (settings.progress) settings.progress(done);
                                    }});
  for (const LearnedMerge& merge : learnt)
    codes.merges.emplace_back(maker.texts[merge.left], maker.texts[merge.right]);
  return codes;
}

OrderedCounts count_pieces(const OrderedCounts& words, SubwordNmt& encoder) {
  OrderedCounts pieces;
  std::string tokens;
  for (std::size_t i = 0; i < words.size(); ++i) {
    tokens.clear();
    encoder.encode_word(words.text(i), tokens);
    for_each_word(tokens, [&](std::string_view piece) { pieces.add(piece, words.count(i)); });
  }
  return pieces;
}

}  // namespace awend::text
