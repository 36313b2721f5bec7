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
#include "text/symbol_splitter.hpp"
#include "text/vocabulary.hpp"
#include "text/word_cache.hpp"
#include "text/words.hpp"

namespace awend::text {

/// One a thread.  The vocabulary, of one of our own types, must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(const Vocabulary& vocabulary);

  /// The ids of a raw line.  REQUIRES: valid UTF-8.
  Ids encode(std::string_view line);
  /// The same with merges left out at random.  REQUIRES: a vocabulary of byte pairs.
  Ids encode(std::string_view line, MergeDropout dropout);

  /// Appends a line of what `print(ids, out)` makes of each chunk, one space between.  Chunks that
  /// were met lately are remembered: give the same `print` each time.
  template <class Print>
  void append_line(std::string_view line, const Print& print, std::string& out);

  /// The ids of what stands between two spaces.
  const Ids& encode_chunk(std::string_view chunk);

 private:
  void append_word(std::string_view word);
  // Calls append(word) for the words of a chunk, and puts the ids of its symbols between.
  template <class Append>
  void for_each_word_of(std::string_view chunk, Ids& ids, const Append& append);

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
};

template <class Print>
void Tokenizer::append_line(std::string_view line, const Print& print, std::string& out) {
  const std::string_view text = normalizer_.apply(line);
  if (text.empty()) return;
  // All words are asked for before the first is waited for.
  fetched_.clear();
  for_each_field(text, [&](std::string_view chunk) {
    fetched_.push_back({chunk, cache_.fetch(chunk)});
  });
  for (const auto& [chunk, hash] : fetched_) {
    const std::string_view known = cache_.find(chunk, hash);
    if (known.data() != nullptr) {
      out += known;
    } else {
      const std::size_t begin = out.size();
      print(encode_chunk(chunk), out);
      cache_.insert(chunk, std::string_view(out).substr(begin));
    }
    out += ' ';
  }
  out.pop_back();
}

/// Appends pieces, one space between.
void append_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids,
                   std::string& out);
/// Appends numbers, one space between.
void append_numbers(std::span<const std::uint32_t> ids, std::string& out);

/// The line that the ids stand for: always valid UTF-8 and without LF, with U+FFFD where a model
/// wrote neither.
std::string decode(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// A token line: the pieces with one space between.
std::string join_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

/// The ids of a token line.  An Error for a piece that a vocabulary of ours lacks: it is another's.
/// Other toolkits' vocabularies have a piece for what is unknown.
Ids split_pieces(const Vocabulary& vocabulary, std::string_view tokens);

/// The words of a normalised line, before they are cut into pieces: written as pieces are, one
/// space between.
std::string join_words(WordBreaker& breaker, std::string_view line);

}  // namespace awend::text
