// Lines become ids of pieces, and back: decode(encode(x)) = normalize(x), byte for byte, for every
// Unicode line.
//
// A space is put before a line that is not empty, so that a word is the same piece at the line's
// begin and within it; decoding takes it away.  On paper a line's pieces stand with one space
// between; no piece has white space in it. Test: tests/properties/text_round_trip_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/segment.hpp"
#include "text/vocabulary.hpp"
#include "text/word_cache.hpp"
#include "text/words.hpp"

namespace awend::text {

/// One a thread: encoding remembers the words it has met.  The vocabulary must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(const Vocabulary& vocabulary);

  /// The ids of a raw line.  REQUIRES: valid UTF-8.
  Ids encode(std::string_view line);
  /// The same with merges left out at random.  REQUIRES: a vocabulary of byte pairs.
  Ids encode(std::string_view line, MergeDropout dropout);
  /// Appends the token line of a raw one: join_pieces(encode(line)), but faster.
  void append_tokens(std::string_view line, std::string& tokens);

 private:
  template <class Visit>
  void for_each_chunk(std::string_view line, const Visit& visit);
  void append_chunk(std::string_view chunk, Ids& ids);

  const Vocabulary& vocabulary_;
  std::variant<PairMerger, LongestMatcher> segmenter_;
  Normalizer normalizer_;
  WordBreaker breaker_;
  std::string spaced_;
  std::vector<std::string_view> words_;
  WordCache<std::uint32_t> ids_;
  WordCache<char> tokens_;
};

/// The line that the ids stand for: always valid UTF-8 and without LF, with U+FFFD where a model
/// wrote neither.
std::string decode(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// A token line: the pieces with one space between.
std::string join_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// The ids of a token line.  An Error for a piece that the vocabulary lacks: it is another's.
Ids split_pieces(const Vocabulary& vocabulary, std::string_view tokens);

/// The words of a normalised line, before they are cut into pieces: written as pieces are, one
/// space between.
std::string join_words(WordBreaker& breaker, std::string_view line);

}  // namespace awend::text
