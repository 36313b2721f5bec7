// Encoding lines as ids of pieces, and decoding them: decode(encode(x)) = normalize(x), byte for
// byte, for every Unicode line.
//
// A space is prepended to a nonempty line, so that a word has the same pieces at the beginning of
// the line and within it; decoding removes it.  In token lines, pieces are separated by one space;
// no piece contains white space.  Test: tests/properties/text_round_trip_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/segment.hpp"
#include "text/symbol_splitter.hpp"
#include "text/vocabulary.hpp"
#include "text/word_cache.hpp"
#include "text/words.hpp"

namespace awend::text {

/// Each thread has its own.  The vocabulary, which must be of build-vocab, must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(const Vocabulary& vocabulary);
  explicit Tokenizer(const Vocabulary&& temporary) = delete;

  /// The ids of a raw line.  Requires: valid UTF-8.
  Ids encode(std::string_view line);
  /// The same with merges randomly skipped.  Requires: a vocabulary of byte pairs.
  Ids encode(std::string_view line, MergeDropout dropout);

  /// Appends the pieces of a line, separated by spaces.  Recent chunks are cached, so that one
  /// object must be used either for pieces or for ids.
  void append_pieces(std::string_view line, std::string& tokens);
  /// The same for ids.
  void append_ids(std::string_view line, Ids& ids);

  /// The ids of the text between two spaces.
  const Ids& encode_chunk(std::string_view chunk);

 private:
  void append_word(std::string_view word);
  // Appends the results of `print(ids, out)` for each chunk, with the separator between them.
  template <class Print>
  void append_chunks(std::string_view line, std::string_view separator, const Print& print,
                     std::string& out);
  // Calls append(word) for the words of a chunk, and inserts the ids of its symbols between.
  template <class Append>
  void for_each_word_of(std::string_view chunk, Ids& ids, const Append& append);

  const Vocabulary& vocabulary_;
  std::variant<std::monostate, PairMerger, LongestMatcher> segmenter_;
  SymbolSplitter symbols_;
  std::uint32_t first_symbol_;
  Normalizer normalizer_;
  WordBreaker breaker_;
  WordCache cache_;
  std::string spaced_;
  std::vector<std::string_view> words_;
  std::vector<FetchedWord> fetched_;
  Ids ids_;
  std::string bytes_;
};

/// Appends pieces, separated by spaces.
void append_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids,
                   std::string& out);
/// Appends numbers, separated by spaces.
void append_numbers(std::span<const std::uint32_t> ids, std::string& out);
/// The ids of a line of numbers.  Error for one that is not below `size`.
Ids read_numbers(std::string_view line, std::uint32_t size);

/// The line that the ids decode to: always valid UTF-8 and without LF; invalid output of a model
/// becomes U+FFFD.
std::string decode(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// A token line: the pieces, separated by spaces.
std::string join_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// The ids of a token line.  Error for a piece that is not in a vocabulary of build-vocab, since
/// the line belongs to another one.  Vocabularies of other toolkits have an unknown piece.
Ids split_pieces(const Vocabulary& vocabulary, std::string_view tokens);

/// The words of a normalized line, before they are split into pieces: in the spelling of pieces,
/// separated by spaces.
std::string join_words(WordBreaker& breaker, std::string_view line);

}  // namespace awend::text
