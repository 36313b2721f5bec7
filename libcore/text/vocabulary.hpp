// The vocabulary: pieces of words with their ids, and everything that encoding needs.
//
// In vocabularies of build-vocab the ids are: 0 `<unk>`, 1 `</s>`, then the 256 bytes `<0x00>` ...
// `<0xFF>`, then requested symbols, then characters and merged pieces.  Vocabularies of other
// toolkits contain only their pieces.  The file is self-contained text and is checked when it is
// read; man/awend-vocabulary.5 describes it.  Test: tests/unit/text/vocabulary_test.cpp,
// tests/fuzz/vocabulary_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/languages.hpp"
#include "text/normalize.hpp"

namespace awend::text {

using Ids = std::vector<std::uint32_t>;

enum class VocabularyType {
  kBpe,            // byte pairs of build-vocab: reversible, nothing is unknown
  kWordPiece,      // longest match, likewise
  kSubwordNmt,     // codes of subword-nmt or fastBPE
  kSentencePiece,  // a SentencePiece model
  kBert,           // the word pieces of BERT; text is split and cleaned as its tokenizer does
  kTokens,         // a list; text is split at spaces, or by a SentencePiece model with other ids
};
inline constexpr base::Word<VocabularyType> kVocabularyTypeWords[] = {
    {VocabularyType::kBpe, "bpe"},
    {VocabularyType::kWordPiece, "wordpiece"},
    {VocabularyType::kBert, "bert"},
    {VocabularyType::kSubwordNmt, "subword-nmt"},
    {VocabularyType::kSentencePiece, "sentencepiece"},
    {VocabularyType::kTokens, "tokens"}};

/// Whose rules split and clean text for kBert: those of the original program, or those of the
/// library tokenizers, which differ for rare characters and long words (text/bert/words.hpp).
enum class BertRules { kGoogle, kHuggingFace };
inline constexpr base::Word<BertRules> kBertRulesWords[] = {
    {BertRules::kGoogle, "google"}, {BertRules::kHuggingFace, "hugging-face"}};

struct Piece {
  std::string text;
  std::uint64_t count = 0;  // in the training text, as this vocabulary encodes it
};

/// Two adjacent pieces become one; all three are ids.
struct Merge {
  std::uint32_t left, right, result;
};

/// The content of a vocabulary.
struct VocabularyContent {
  VocabularyType type = VocabularyType::kBpe;
  TextForm form = {};         // normalization of text
  std::vector<Piece> pieces;  // by id, with the special ones
  std::vector<Merge> merges;  // of kBpe, in the order in which they apply

  /// In vocabularies of build-vocab: the number of symbols after the bytes.  Text cannot produce a
  /// control symbol, which is decoded to nothing; a user symbol is kept whole in every text.
  std::uint32_t control_symbols = 0, user_symbols = 0;

  std::uint32_t unknown = 0;
  std::optional<std::uint32_t> end_of_sentence = 1;  // none: only for tokenization, not for models

  BertRules bert_rules = BertRules::kGoogle;  // kBert

  // kSubwordNmt
  std::string separator = "@@";
  std::vector<std::string> glossaries = {};
  std::string codes = {};  // the text of the codes file

  std::string model =
      {};  // kSentencePiece: the bytes of the model file; kTokens: the same, or empty

  std::vector<Language> languages = {};  // kTokens: of a multilingual model, by ascending id
};

class Vocabulary {
 public:
  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kEndOfSentence = 1;
  static constexpr std::uint32_t kFirstByte = 2;
  static constexpr std::uint32_t kFirstCharacter = kFirstByte + 256;

  /// Pieces must be distinct; those of build-vocab begin with special_pieces(), and their symbols
  /// follow.  Ids must be those of pieces.
  explicit Vocabulary(VocabularyContent content);

  /// Error "name:line: what" for a text that is not a complete vocabulary.
  static Vocabulary parse(std::string_view content, const std::string& name);
  /// The same from a file, which may also be a SentencePiece model (see import_model).
  static Vocabulary read(const std::string& path);

  /// The bytes of the file; equal contents give equal bytes.
  std::string serialize() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(content_.pieces.size()); }
  /// The id of the piece, or unknown().
  std::uint32_t id(std::string_view piece) const { return find(piece).value_or(unknown()); }
  std::optional<std::uint32_t> find(std::string_view piece) const;
  /// Requires: id < size().
  std::string_view piece(std::uint32_t id) const { return content_.pieces[id].text; }
  std::uint64_t count(std::uint32_t id) const { return content_.pieces[id].count; }

  VocabularyType type() const { return content_.type; }
  const VocabularyContent& content() const { return content_; }
  std::uint32_t unknown() const { return content_.unknown; }
  /// Requires: the content has one, which read() and parse() ensure.
  std::uint32_t end_of_sentence() const { return content_.end_of_sentence.value(); }
  /// True for ids that represent no text, and that text cannot produce.
  bool is_special(std::uint32_t id) const {
    return id == unknown() || id == content_.end_of_sentence;
  }
  /// True for the tokens of languages, which are decoded to nothing.
  bool is_language(std::uint32_t id) const;
  const TextForm& form() const { return content_.form; }
  const std::vector<Merge>& merges() const { return content_.merges; }

  static std::uint32_t byte_id(unsigned char byte) { return kFirstByte + byte; }
  /// In vocabularies of build-vocab: the first id after the symbols.
  std::uint32_t first_learned() const { return first_user_symbol() + content_.user_symbols; }
  bool is_control_symbol(std::uint32_t id) const {
    return id >= kFirstCharacter && id < first_user_symbol();
  }
  /// The user symbols have the ids from this one to first_learned().
  std::uint32_t first_user_symbol() const { return kFirstCharacter + content_.control_symbols; }

  static bool is_byte(std::uint32_t id) { return id >= kFirstByte && id < kFirstCharacter; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  VocabularyContent content_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
};

/// `<unk>`, `</s>` and the 256 bytes.
std::vector<Piece> special_pieces();

/// True for types that can encode every text, and that decode it exactly.
constexpr bool is_reversible(VocabularyType type) {
  return type == VocabularyType::kBpe || type == VocabularyType::kWordPiece;
}

constexpr std::string_view name_of(VocabularyType type) {
  return base::word_for(kVocabularyTypeWords, type);
}
constexpr std::string_view name_of(BertRules rules) {
  return base::word_for(kBertRulesWords, rules);
}

}  // namespace awend::text
