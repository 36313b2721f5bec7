// subword-nmt's apply-bpe (Sennrich et al., 2016): splits words into pieces, all but the last of a
// word with the suffix `@@`; byte for byte the output of subword-nmt, with its codes or those of
// fastBPE.
//
// Words are separated by U+0020.  CR, LF and U+0020 at the ends of a line are kept; inner runs of
// U+0020 become one.  A word of one character (with byte symbols: one byte) is kept.  Differences
// from subword-nmt: groups in a glossary only group, and its classes include all of Unicode with
// byte symbols too; a vocabulary without any piece at the threshold is an error instead of being
// ignored.  Test: tests/unit/text/subword_nmt/subword_nmt_test.cpp.
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
  /// A piece that is missing, or whose count is below the threshold, is split again by reverting
  /// its merge, recursively down to characters.
  std::optional<std::vector<PieceCount>> vocabulary = std::nullopt;
  std::uint64_t vocabulary_threshold = 0;
  std::vector<std::string> glossaries = {};  // regular expressions of text that is not split
};

/// Codes and settings, preprocessed; immutable, shared by all threads.
class SubwordNmtModel {
 public:
  static constexpr std::uint32_t kNoSymbol = 0;  // of a character that is in no merge

  /// UsageError for a glossary that is not a regular expression, and for a vocabulary without any
  /// piece at the threshold.
  explicit SubwordNmtModel(const SubwordNmtCodes& codes, SubwordNmtSettings settings = {});

  const SubwordNmtSettings& settings() const { return settings_; }
  bool bytes() const { return bytes_; }
  const MergeTable& merges() const { return merges_; }

  /// Appends the initial symbols of a word.  Requires: not empty.
  void append_symbols(std::string_view word, std::vector<std::uint32_t>& symbols) const;
  /// The size in bytes of the character at the front of `text`.
  std::size_t character_size(std::string_view text) const;
  /// The size of the text of a symbol in bytes, including `</w>`.  Requires: symbol != kNoSymbol.
  std::size_t size_bytes(std::uint32_t symbol) const { return sizes_[symbol]; }
  /// The merge of lowest rank with this result, or nullptr.
  const Merge* merge_of(std::uint32_t symbol) const;
  /// In version 0.1, the symbol with this text and `</w>`, or kNoSymbol.
  std::uint32_t with_end_of_word(std::uint32_t symbol) const { return with_end_[symbol]; }
  /// Whether the vocabulary contains the piece, with or without another piece after it in its word.
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
  Pieces inner_, last_;  // of the vocabulary; inner pieces without their separator
};

/// BPE dropout: in each round, each pair of neighbors stays unmerged with this probability.  The
/// random numbers of a line follow those of the line before it, as in subword-nmt: for the same
/// output, one object must process all lines in order, in one thread.
struct SubwordNmtDropout {
  double probability;
  PythonRandom random;
};

/// Each thread has its own, which caches words.  The model must outlive it.
class SubwordNmt {
 public:
  explicit SubwordNmt(const SubwordNmtModel& model);

  /// Appends the tokens of a line (without its LF).  Requires, without byte symbols: valid
  /// UTF-8.  With byte symbols, tokens may be invalid UTF-8, because the bytes of a character may
  /// be separated.
  void encode(std::string_view line, std::string& tokens);
  /// The same with merges randomly skipped; nothing is cached.  With probability 0, no random
  /// number is used.
  void encode(std::string_view line, SubwordNmtDropout& dropout, std::string& tokens);
  /// Appends the tokens of one word, separated by spaces.
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
  std::string joint_;           // text between two pieces of a word
  std::string* out_ = nullptr;  // where put() appends
  bool first_ = true;           // whether the next put() is the first piece of a word
};

/// Appends the line that tokens decode to: without `@@ ` everywhere and `@@` at the end.  The
/// inverse of encoding if no word of the text itself ends in the separator.  It joins bytes: the
/// output of a model with byte symbols may not be valid UTF-8.
void join_subwords(std::string_view tokens, std::string_view separator, std::string& line);

}  // namespace awend::text
