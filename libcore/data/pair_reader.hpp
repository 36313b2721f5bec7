// The lines of two files in parallel, in chunks for threads.  Test:
// tests/unit/data/corpus_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/line_chunks.hpp"

namespace awend::data {

/// Line i of `target` is the translation of line i of `source`.
struct PairLines {
  base::LineChunk source, target;
};

class PairReader {
 public:
  /// "-" is standard input.  Without a target (an empty name), targets have no lines.
  PairReader(const std::string& source, const std::string& target) : source_(source) {
    if (!target.empty()) target_.emplace(target);
  }

  /// The next pairs, or nothing at the end.  Reads lines of both files alternately, so that one
  /// process may write both.  Error naming both files and their numbers of lines if one ends
  /// before the other.
  std::optional<PairLines> next();

  /// The number of files that begin with a byte order mark; known once a pair was read.
  unsigned removed_marks() const {
    return source_.removed_mark() + (target_ && target_->removed_mark() ? 1 : 0);
  }
  const std::string& source_name() const { return source_.name(); }
  /// Requires: a target.
  const std::string& target_name() const { return target_->name(); }

 private:
  [[noreturn]] void fail_unequal();

  base::LineReader source_;
  std::optional<base::LineReader> target_;
};

}  // namespace awend::data
