// A vocabulary for BERT, whose learner was never published: the pieces of learn_word_pieces(),
// which begin with a space at the beginning of a word, in the spelling of BERT.
#include <unordered_set>

#include "base/error.hpp"
#include "text/bert/word_pieces.hpp"
#include "text/learn/learn.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

// Adds pieces until the vocabulary is full.
class BertContent {
 public:
  explicit BertContent(const LearnSettings& settings) : size_(settings.size) {
    content_.type = VocabularyType::kBert;
    content_.bert_rules = settings.bert_rules;
    content_.form = {Normalization::kNone, settings.form.letter_case, ControlCharacters::kRemove};
    for (const std::string_view piece : BertPieces::kAll) add(std::string(piece));
    content_.unknown = 1;
    content_.end_of_sentence = 3;
  }

  void add(std::string piece) {
    if (content_.pieces.size() < size_ && known_.insert(piece).second)
      content_.pieces.push_back({std::move(piece), 0});
  }
  void add_within_word(std::string_view piece) {
    add(base::concat(BertPieces::kContinuation, piece));
  }

  std::uint32_t room() const { return size_ - static_cast<std::uint32_t>(content_.pieces.size()); }

  VocabularyContent content() && { return std::move(content_); }

 private:
  std::uint32_t size_;
  std::unordered_set<std::string> known_;
  VocabularyContent content_;
};

void count(std::span<const WordCount> words, VocabularyContent& content) {
  const Vocabulary uncounted(content);
  BertWordPieces splitter(uncounted);
  Ids ids;
  for (const WordCount& word : words) {
    ids.clear();
    splitter.append(word.word.substr(1), ids);
    for (const std::uint32_t id : ids) content.pieces[id].count += word.count;
  }
}

}  // namespace

Vocabulary learn_bert(std::span<const WordCount> words, const LearnSettings& settings,
                      const LearnProgress& progress) {
  base::check(settings.symbols.control.empty() && settings.symbols.user.empty() &&
                  settings.size >= kMinBertPieces,
              "a vocabulary for BERT has no symbols, and more than the special pieces");
  LearnSettings inner = settings;
  inner.size = first_learned(settings) + settings.size;
  const std::vector<Piece> alphabet = learn_alphabet(words, inner);
  BertContent content(settings);
  for (const Piece& character : alphabet) {
    if (character.text == kSpaceMarker) continue;
    content.add(character.text);
    content.add_within_word(character.text);
  }
  // Each character can be learned again, with the space before it.
  inner.size = first_learned(settings) + static_cast<std::uint32_t>(2 * alphabet.size());
  inner.size += content.room();
  const VocabularyContent learned = learn_word_pieces(words, alphabet, inner, progress);
  for (std::size_t i = first_learned(inner) + alphabet.size(); i < learned.pieces.size(); ++i) {
    std::string_view piece = learned.pieces[i].text;
    if (!piece.starts_with(kSpaceMarker)) {
      content.add_within_word(piece);
    } else if (piece.size() > kSpaceMarker.size()) {
      content.add(std::string(piece.substr(kSpaceMarker.size())));
    }
  }
  VocabularyContent made = std::move(content).content();
  count(words, made);
  return Vocabulary(std::move(made));
}

}  // namespace awend::text
