// Reads a parallel corpus: two token files, or pipes, line n of one translated by line n of the
// other.
//
// Pieces stand between spaces, as `tokenize` writes them; the vocabulary turns them into ids.  A
// piece that it lacks is unknown, and so is one that spells a special piece: no text may end a
// sentence early.  A pair with an empty side, or with a side that is too long, is left out and
// counted; nothing else is.  Both sides are read in step, so they may be pipes from one process.
// Test: tests/unit/data/corpus_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
  std::string first_unknown;  // "file:line: piece"
};

struct Corpus {
  SentencePairs pairs;
  CorpusCounts counts;
};

/// Reads both files to their ends.  A sentence of more than `longest_tokens` tokens, its end
/// counted, fits in no batch and takes its pair out.  Error naming both files and counts if their
/// lines do not pair up, and if no pair stays.
Corpus read_corpus(const CorpusFiles& files, const text::Vocabulary& vocabulary,
                   std::uint32_t longest_tokens);

/// Appends the ids of a token line to `ids`.  Returns its first unknown piece, or an empty view: a
/// piece is never empty.
std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids);

}  // namespace awend::data
