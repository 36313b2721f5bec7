// The candidates of --mbr and --rerank: n-best lists and JSON of translate, n-best lists of other
// programs, or plain lines with the same number for each source line.  Test: tests/cli/mbr.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "metrics/mbr/n_best.hpp"

namespace awend::tools {

struct Candidate {
  std::string text;
  std::vector<metrics::Feature> features = {};
};

/// The candidates of a source line.
struct CandidateList {
  std::uint64_t line = 0;  ///< From 0.
  std::vector<Candidate> candidates = {};
  std::uint64_t end_bytes = 0;  ///< Bytes read by then.
};

class CandidateReader {
 public:
  /// `each` plain lines are the candidates of a source line; 0: the input is an n-best list, or
  /// JSON if it begins with "{".
  CandidateReader(const std::string& path, const base::TextPolicy& policy, std::uint64_t each);

  /// The candidates of the next line, or nothing at the end.  Throws Error naming file and line if
  /// a source line has none, or if lists are not in the order of the source lines.
  std::optional<CandidateList> next();

  /// "FILE:LINE" of the last line that was read.
  std::string where() const;
  const base::LineReader& lines() const { return lines_; }
  /// Lists so far.
  std::uint64_t count() const { return count_; }

 private:
  struct Entry {
    std::uint64_t line;
    Candidate candidate;
  };
  bool read_line(std::string_view& line);
  bool next_plain(CandidateList& list);
  bool next_json(CandidateList& list);
  bool next_entries(CandidateList& list);
  void require_next(std::uint64_t line) const;

  base::LineReader lines_;
  std::uint64_t each_, count_ = 0;
  std::optional<std::string> first_;  // the first line, until it is read again
  bool is_json_ = false;
  std::optional<Entry> entry_;  // of the list after the last one
};

/// Throws Error if nothing was read.
void require_candidates(const CandidateReader& reader);

}  // namespace awend::tools
