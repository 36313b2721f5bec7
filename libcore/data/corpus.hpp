// Encoding of a parallel corpus: two token files or pipes, whose lines are translations of each
// other.
//
// Pieces are separated by spaces, as `tokenize` writes them; the vocabulary maps them to ids.  A
// piece that is not in the vocabulary is unknown, as is one that spells a special piece: text must
// not end a sentence early.  Only pairs with an empty side, or with a side that is too long, are
// omitted and counted.  Both sides are read in parallel, so they may be pipes from one process,
// and are encoded on all processors.  Test: tests/unit/data/corpus_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "data/sentences.hpp"
#include "text/vocabularies.hpp"

namespace awend::data {

struct CorpusFiles {
  std::string source;  // "-" is standard input
  std::string target;
};

/// Statistics of the encoding.
struct CorpusCounts {
  std::uint64_t lines = 0;
  std::uint64_t empty_pairs = 0;  // omitted: one side has no piece
  std::uint64_t long_pairs = 0;   // omitted: one side exceeds the maximum length
  std::uint64_t pieces = 0;       // of the remaining pairs, both sides, without ends of sentences
  std::uint64_t unknown_pieces = 0;
  std::string first_unknown;   // "file:line: piece"
  unsigned removed_marks = 0;  // byte order marks at the start of the two files

  void add(const CorpusCounts& later);
  std::uint64_t pairs() const { return lines - empty_pairs - long_pairs; }
};

struct EncodeSettings {
  text::Vocabularies vocabularies;
  /// Pairs with a longer sentence, including its end, are omitted.  At most kLongestSentence.
  std::uint32_t longest_tokens;
  unsigned threads = base::processors();
  /// Called regularly with the numbers of lines and bytes processed.
  std::function<void(std::uint64_t lines, std::uint64_t bytes)> progress = {};
  /// Called with the counts at the end; an exception rejects the corpus.
  std::function<void(const CorpusCounts&)> judge = {};
};

/// Consecutive pairs of the corpus.
struct EncodedPairs {
  std::vector<std::uint32_t> ids;      // of each source, followed by its target
  std::vector<std::uint32_t> lengths;  // of each source, followed by its target
  std::vector<std::uint64_t> words;    // of each pair (see data/fingerprint.hpp)
  CorpusCounts counts;
  std::uint64_t end_bytes = 0;  // bytes of both files read by then
};

/// Reads both files to the end and passes the remaining pairs to a callback, in order.  Error
/// naming both files and counts if the numbers of lines differ, and if no pair remains.
CorpusCounts encode_corpus(const CorpusFiles& files, const EncodeSettings& settings,
                           const std::function<void(const EncodedPairs&)>& take);

struct Corpus {
  SentencePairs pairs;
  CorpusCounts counts;
};

/// A corpus in memory.
Corpus read_corpus(const CorpusFiles& files, const EncodeSettings& settings);

/// Appends the ids of a token line to `ids`.  Returns the first unknown piece, or an empty view if
/// there is none; pieces are never empty.
std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids);

}  // namespace awend::data
