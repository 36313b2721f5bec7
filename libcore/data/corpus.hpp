// Encoding of a parallel corpus: two token files or pipes, whose lines are translations of each
// other.
//
// Pieces are separated by spaces, as `tokenize` writes them; the vocabulary maps them to ids.  A
// piece that is not in the vocabulary is unknown, as is one that spells a special piece: text must
// not end a sentence early.  Only pairs with an empty side, or with a side that is too long, are
// omitted and counted.  Corpora of encoder-only models have labels or no targets; pairs may have
// word alignments.  All files are read in parallel, so they may be pipes from one process, and are
// encoded on all processors.  Test: tests/unit/data/corpus_test.cpp, alignments_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/machine.hpp"
#include "data/corpus_files.hpp"
#include "data/sentences.hpp"
#include "text/vocabularies.hpp"

namespace awend::data {

/// What the lines of a corpus are.
enum class CorpusKind {
  kPairs,          ///< Sources and their translations.
  kRunning,        ///< Sentences of a text without targets; an empty one ends a document.
  kLabeledLines,   ///< Sources of one or two segments, with a tab between them, and a label.
  kLabeledTokens,  ///< The same with a label for each token.
  kSpans,          ///< Sources of two segments, and the tokens of the second that are the answer.
};
/// How lines are read that are not pairs.
struct Labeling {
  CorpusKind kind = CorpusKind::kPairs;
  std::vector<std::string> labels = {};  ///< By id.
  std::uint32_t separator = 0;           ///< The id between segments.
  std::uint32_t separators = 1;          ///< How many of them are between two segments.
};

/// The pieces of one side, without ends of sentences.
struct SideCounts {
  std::uint64_t pieces = 0, unknown = 0;

  bool operator==(const SideCounts&) const = default;
};

/// Statistics of the encoding.
struct CorpusCounts {
  std::uint64_t lines = 0;
  std::uint64_t empty_pairs = 0;        // omitted: one side has no piece
  std::uint64_t long_pairs = 0;         // omitted: one side exceeds the maximum length
  SideCounts source = {}, target = {};  // of the remaining pairs; labels and answers are no pieces
  std::string first_unknown;            // "file:line: piece"
  unsigned removed_marks = 0;           // byte order marks at the start of the two files

  void add(const CorpusCounts& later);
  std::uint64_t pairs() const { return lines - empty_pairs - long_pairs; }
};

/// What a model requires of the two sides of a pair.
struct PairCheck {
  std::string name;  ///< Of the rules, so that a cache is reused only if it was checked by them.
  /// What is wrong with the ids of a line, or nullopt.  Called by several threads.
  using Problem = std::function<std::optional<std::string>(std::span<const std::uint32_t>)>;
  Problem source_problem, target_problem;
};

struct EncodeSettings {
  text::Vocabularies vocabularies;
  /// Pairs with a longer sentence, including its end, are omitted.  At most kLongestSentence.
  std::uint32_t longest_tokens;
  unsigned threads = base::processor_share();
  Labeling labeling = {};
  /// Called regularly with the numbers of lines and bytes processed.
  std::function<void(std::uint64_t lines, std::uint64_t bytes)> progress = {};
  /// Called with the counts at the end; an exception rejects the corpus.
  std::function<void(const CorpusCounts&)> judge = {};
  /// Applied to each source and target that is not empty.
  std::optional<PairCheck> pair_check = {};
};

/// Consecutive pairs of the corpus.
struct EncodedPairs {
  /// Of each source, followed by its target and, with alignments, the numbers of its links (see
  /// SentencePairs).
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> lengths;  // of each of these
  std::vector<std::uint64_t> words;    // of each pair (see data/fingerprint.hpp)
  CorpusCounts counts;
  std::uint64_t end_bytes = 0;  // bytes of both files read by then
};

/// Reads all files to the end and passes the remaining pairs to a callback, in order.  Error
/// naming two files and counts if the numbers of lines differ, and if no pair remains; naming the
/// line if the check of sources finds a problem, for a label that is not known, for a wrong
/// number of labels, for an answer that is not in its passage, and for an alignment with a link
/// that is possible, not sure, or outside of its pair.  In running text, empty and long sentences
/// remain as empty ones.
CorpusCounts encode_corpus(const CorpusFiles& files, const EncodeSettings& settings,
                           const std::function<void(const EncodedPairs&)>& take);

struct Corpus {
  SentencePairs pairs;
  CorpusCounts counts;
};

/// A corpus in memory.
Corpus read_corpus(const CorpusFiles& files, const EncodeSettings& settings);

/// The ids of an answer are numbers of tokens of its passage, from 1: of its first and its last
/// token, or 0 and 0 if the passage does not answer the question.
inline constexpr std::uint32_t kNoAnswer = 0;

/// Appends the ids of a token line to `ids`.  Returns the first unknown piece, or an empty view if
/// there is none; pieces are never empty.
std::string_view append_ids(std::string_view line, const text::Vocabulary& vocabulary,
                            std::vector<std::uint32_t>& ids);

/// The same for one segment, or for two with a tab between them, which separators replace.  Throws
/// Error for another tab.
std::string_view append_segments(std::string_view line, const text::Vocabulary& vocabulary,
                                 const Labeling& labeling, std::vector<std::uint32_t>& ids);

}  // namespace awend::data
