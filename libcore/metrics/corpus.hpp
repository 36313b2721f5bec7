// The files of a corpus in parallel: line n of each system and of each reference is segment n.
//
// Files with different numbers of lines are an Error that names two files and both counts.  White
// space at the end of a line is kept, including CR: its meaning depends on the metric.  A file may
// contain several tab-separated columns.  Test: tests/unit/metrics/corpus_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.hpp"

namespace awend::metrics {

struct CorpusFiles {
  std::vector<std::string> systems;        // paths; "-" is standard input
  std::vector<std::string> references;     // paths
  std::optional<std::string> source = {};  // path
  std::size_t system_columns = 1;          // of each file of systems
  std::size_t reference_columns = 1;
  /// sacreBLEU treats a byte order mark as text.
  base::TextPolicy policy = {base::InvalidUtf8::kError, base::ByteOrderMark::kKeep};
};

/// Concatenated texts.
class Column {
 public:
  void add(std::string_view text) {
    text_ += text;
    ends_.push_back(text_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const auto begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// Consecutive segments.
struct CorpusChunk {
  std::uint64_t first_number = 1;  // of the first segment, from 1
  std::vector<Column> systems;
  std::vector<Column> references;
  std::optional<Column> source = {};
  std::uint64_t end_bytes = 0;  // bytes of all files read by then
  std::size_t size() const { return systems.front().size(); }
};

class CorpusReader {
 public:
  explicit CorpusReader(const CorpusFiles& files);

  /// The next segments, or nothing at the end.
  std::optional<CorpusChunk> next();

  std::size_t systems() const { return systems_.size() * system_columns_; }
  std::uint64_t segments() const { return segments_; }
  /// The files that begin with a byte order mark.
  std::vector<std::string> files_with_marks() const;
  /// The first file.
  const std::string& name() const { return systems_.front().name(); }
  /// The files of a system and of a reference, which may be one column of several.
  const std::string& system_name(std::size_t system) const {
    return systems_[system / system_columns_].name();
  }
  const std::string& reference_name(std::size_t reference) const {
    return references_[reference / reference_columns_].name();
  }

 private:
  std::uint64_t position_bytes() const;
  bool read_segment(CorpusChunk& chunk, std::vector<Column>& source);
  [[noreturn]] void fail_on_counts(base::LineReader& other);

  std::vector<base::LineReader> systems_, references_, source_;  // a source or none
  std::size_t system_columns_, reference_columns_;
  std::uint64_t segments_ = 0;
};

}  // namespace awend::metrics
