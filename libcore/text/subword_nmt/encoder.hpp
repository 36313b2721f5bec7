// subword-nmt's apply-bpe (Sennrich et al., 2016): words become pieces, all but a word's last with
// `@@` behind; byte for byte what subword-nmt writes, from its codes or fastBPE's.
//
// Words stand between U+0020.  CR, LF and U+0020 at a line's ends stay, inner runs of U+0020 become
// one.  A word of one character (with byte symbols: of one byte) stays.  Where subword-nmt is not
// followed: a glossary's groups only group, and its classes know all of Unicode with byte symbols
// too; a vocabulary without one piece at the threshold is an error, not ignored.  Test:
// tests/unit/text/subword_nmt_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/pair_merging.hpp"
#include "text/subword_nmt/codes.hpp"
#include "text/subword_nmt/glossaries.hpp"
#include "text/subword_nmt/python_random.hpp"
#include "text/subword_nmt/vocabulary.hpp"
#include "text/text_hash.hpp"
#include "text/word_cache.hpp"

namespace awend::text {

struct SubwordNmtSettings {
  std::string separator = "@@";
  /// A piece that it lacks, or counts less often than the threshold, is split again by undoing its
  /// merge, and so on down to characters.
  std::optional<std::vector<PieceCount>> vocabulary = std::nullopt;
  std::uint64_t vocabulary_threshold = 0;
  std::vector<std::string> glossaries = {};  // regular expressions of what stays whole
};

/// What codes and settings come to: immutable, shared by all threads.
class SubwordNmtModel {
 public:
  static constexpr std::uint32_t kNoSymbol = 0;  // of a character that no merge knows

  /// UsageError for a glossary that is no regular expression, and for a vocabulary of which nothing
  /// is left at the threshold.
  explicit SubwordNmtModel(const SubwordNmtCodes& codes, SubwordNmtSettings settings = {});

  const SubwordNmtSettings& settings() const { return settings_; }
  bool bytes() const { return bytes_; }
  const MergeTable& merges() const { return merges_; }

  /// Appends the symbols that a word begins with.  REQUIRES: not empty.
  void append_symbols(std::string_view word, std::vector<std::uint32_t>& symbols) const;
  /// The size in bytes of the character at the front of `text`.
  std::size_t character_size(std::string_view text) const;
  /// The size of a symbol's text in bytes, `</w>` included.  REQUIRES: symbol != kNoSymbol.
  std::size_t size_bytes(std::uint32_t symbol) const { return sizes_[symbol]; }
  /// The merge of lowest rank that gives the symbol, or nullptr.
  const Merge* merge_of(std::uint32_t symbol) const;
  /// The symbol of version 0.1 whose text is this one's with `</w>`, or kNoSymbol.
  std::uint32_t with_end_of_word(std::uint32_t symbol) const { return with_end_[symbol]; }
  /// Whether the vocabulary knows the piece, with or without another behind it in its word.
  bool knows_inner(std::string_view piece) const { return inner_.contains(piece); }
  bool knows_last(std::string_view piece) const { return last_.contains(piece); }
  bool has_vocabulary() const { return settings_.vocabulary.has_value(); }

 private:
  struct Character {
    std::uint32_t inner = kNoSymbol;
    std::uint32_t last = kNoSymbol;  // with </w>
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return text_hash(text); }
  };
  using Pieces = std::unordered_set<std::string, Hash, std::equal_to<>>;
  class Builder;

  void set_vocabulary();
  const Character& character(char32_t code_point) const {
    return characters_[pages_[code_point >> 8] << 8 | (code_point & 0xFF)];
  }

  SubwordNmtSettings settings_;
  bool bytes_;
  bool separate_end_of_word_;
  std::uint32_t end_of_word_ = kNoSymbol;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> origins_;   // by symbol: the rank of its merge, or MergeTable::kNoRank
  std::vector<std::uint32_t> with_end_;  // by symbol, in version 0.1
  std::vector<std::uint32_t> pages_;     // of 256 code points; page 0 has no symbol
  std::vector<Character> characters_;    // by page; by byte where symbols are bytes
  MergeTable merges_{{}};
  Pieces inner_, last_;  // of the vocabulary, those that others follow without their separator
};

/// BPE-dropout: in each round, each pair of neighbours stays unmerged with this probability.  The
/// draws of one line follow those of the line before it, as in subword-nmt: for the same output,
/// one object must see all lines in their order, in one thread.
struct SubwordNmtDropout {
  double probability;
  PythonRandom random;
};

/// One a thread: it remembers the words that it has met.  The model must outlive it.
class SubwordNmt {
 public:
  explicit SubwordNmt(const SubwordNmtModel& model);

  /// Appends the tokens of a line (without its LF).  Without byte symbols, REQUIRES: valid UTF-8.
  /// With them tokens may be no UTF-8: a character's bytes may be cut apart.
  void encode(std::string_view line, std::string& tokens);
  /// The same with merges left out at random; nothing is remembered.  With probability 0 nothing is
  /// drawn.
  void encode(std::string_view line, SubwordNmtDropout& dropout, std::string& tokens);
  /// Appends the tokens of one word, a space between.
  void encode_word(std::string_view word, std::string& tokens);

 private:
  void encode_word(std::string_view word, std::uint64_t hash, std::string& tokens);
  void cut_word(std::string_view word, SubwordNmtDropout* dropout, std::string& tokens);
  void cut_part(std::string_view part, SubwordNmtDropout* dropout);
  void put_known(std::string_view piece, std::uint32_t symbol, bool last);
  void put(std::string_view piece);

  const SubwordNmtModel& model_;
  Glossaries glossaries_;
  SymbolMerger merger_;
  WordCache cache_;
  std::vector<std::uint32_t> symbols_;
  std::string joint_;           // what stands between two pieces of a word
  std::string* out_ = nullptr;  // where put() appends
  bool first_ = true;           // whether put() has yet to put a word's first piece
};

/// Appends the line that tokens stand for: without `@@ ` everywhere and `@@` at the end.  The
/// inverse of encoding where the text itself has no word that ends with the separator.  It joins
/// bytes: what a model writes with byte symbols may not be valid UTF-8 when it is joined.
void join_subwords(std::string_view tokens, std::string_view separator, std::string& line);

}  // namespace awend::text
