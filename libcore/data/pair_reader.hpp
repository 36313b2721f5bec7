// The lines of the files of a corpus in parallel, in chunks for threads.  Test:
// tests/unit/data/corpus_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/line_chunks.hpp"
#include "data/corpus_files.hpp"

namespace awend::data {

/// Line i of `target` is the translation of line i of `source`, and line i of `alignments` has the
/// links between them.
struct PairLines {
  base::LineChunk source, target, alignments;
};

class PairReader {
 public:
  /// "-" is standard input.  A file without a name has no lines.
  explicit PairReader(const CorpusFiles& files) : source_(files.source) {
    if (!files.target.empty()) target_.emplace(files.target);
    if (!files.alignments.empty()) alignments_.emplace(files.alignments);
  }

  /// The next pairs, or nothing at the end.  Reads lines of all files alternately, so that one
  /// process may write them.  Error naming the source, another file and their numbers of lines if
  /// one ends before the other.
  std::optional<PairLines> next();

  /// The number of files that begin with a byte order mark; known once a pair was read.
  unsigned removed_marks() const {
    return source_.removed_mark() + (target_ && target_->removed_mark() ? 1 : 0) +
           (alignments_ && alignments_->removed_mark() ? 1 : 0);
  }
  const std::string& source_name() const { return source_.name(); }
  /// Requires: a target.
  const std::string& target_name() const { return target_->name(); }
  bool has_alignments() const { return alignments_.has_value(); }
  /// Requires: alignments.
  const std::string& alignments_name() const { return alignments_->name(); }

 private:
  /// The next line of a file next to the source, if there is such a file.
  void read_next(bool has_source, std::optional<base::LineReader>& from, base::LineChunk& to);
  [[noreturn]] void fail_unequal(base::LineReader& other);

  base::LineReader source_;
  std::optional<base::LineReader> target_, alignments_;
};

}  // namespace awend::data
