// Encodes a parallel corpus: two token files, or pipes, line n of one translated by line n of the
// other.
//
// Pieces stand between spaces, as `tokenize` writes them; the vocabulary turns them into ids.  A
// piece that it lacks is unknown, and so is one that spells a special piece: no text may end a
// sentence early.  A pair with an empty side, or with a side that is too long, is left out and
// counted; nothing else is.  Both sides are read in step, so they may be pipes from one process,
// and encoded on all processors.  Test: tests/unit/data/corpus_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "data/sentences.hpp"
#include "text/vocabulary.hpp"

namespace awend::data {

struct CorpusFiles {
  std::string source;  // "-" is standard input
  std::string target;
};

/// What was seen on the way.
struct CorpusCounts {
  std::uint64_t lines = 0;
  std::uint64_t empty_pairs = 0;  // left out: a side without a piece
  std::uint64_t long_pairs = 0;   // left out: a side of more than the longest length
  std::uint64_t pieces = 0;       // of the pairs that stayed, both sides, without ends of sentences
  std::uint64_t unknown_pieces = 0;
  std::string first_unknown;   // "file:line: piece"
  unsigned removed_marks = 0;  // byte order marks at the start of the two files

  void add(const CorpusCounts& later);
  std::uint64_t pairs() const { return lines - empty_pairs - long_pairs; }
};

struct EncodeSettings {
  const text::Vocabulary& vocabulary;
  /// A sentence of more tokens, its end counted, takes its pair out.  At most kLongestSentence.
  std::uint32_t longest_tokens;
  unsigned threads = base::processors();
  /// Called now and then with the number of lines that are done, and of the bytes read for them.
  std::function<void(std::uint64_t lines, std::uint64_t bytes)> progress = {};
  /// Called with the counts once all is read; what it throws refuses the corpus.
  std::function<void(const CorpusCounts&)> judge = {};
};

/// Some pairs that follow each other in the corpus.
struct EncodedPairs {
  std::vector<std::uint32_t> ids;      // of each source, followed by those of its target
  std::vector<std::uint32_t> lengths;  // of each source, followed by that of its target
  std::vector<std::uint64_t> words;    // of each pair (see data/fingerprint.hpp)
  CorpusCounts counts;
  std::uint64_t end_bytes = 0;  // how much of both files was read by then
};

/// Reads both files to their ends and hands over the pairs that stay, in order, one call at a time.
/// Error naming both files and counts if their lines do not pair up, and if no pair stays.
CorpusCounts encode_corpus(const CorpusFiles& files, const EncodeSettings& settings,
                           const std::function<void(const EncodedPairs&)>& take);

struct Corpus {
  SentencePairs pairs;
  CorpusCounts counts;
};

/// A corpus that fits in memory.
Corpus read_corpus(const CorpusFiles& files, const EncodeSettings& settings);

/// Appends the ids of a token line to `ids`.  Returns its first unknown piece, or an empty view: a
/// piece is never empty.
std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids);

}  // namespace awend::data
