// Candidates with the numbers by which --rerank chooses: the features of an n-best list, the number
// of words, and the columns of a file.  Test: tests/cli/rerank.sh.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "score_candidates.hpp"

namespace awend::tools {

struct FeatureFiles {
  std::string candidates;                   // path
  std::optional<std::string> columns = {};  // path
  base::TextPolicy policy = {};
  std::uint64_t each = 0;  // plain lines of a source line; see CandidateReader
};

/// The candidates of a source line with their features, in the order of names().
struct FeatureList {
  CandidateList list;
  std::vector<std::vector<double>> values;
};

class FeatureReader {
 public:
  explicit FeatureReader(const FeatureFiles& files);

  /// Of all candidates; empty if there are none.
  const std::vector<std::string>& names() const { return names_; }
  /// The next list, or nothing at the end.  Throws Error naming file and line if a candidate has
  /// other features than the first one, or a number is not finite.
  std::optional<FeatureList> next();
  const CandidateReader& candidates() const { return candidates_; }

 private:
  std::optional<CandidateList> read();
  void read_header();
  void require_unique_names() const;
  std::vector<double> values_of(const Candidate& candidate);
  void append_columns(std::vector<double>& values);

  CandidateReader candidates_;
  std::optional<base::LineReader> columns_;
  std::optional<CandidateList> first_;  // until it is returned
  std::size_t of_list_ = 0;             // names that lists have
  std::vector<std::string> names_;
};

/// The weights of `names`, in their order; 0 for those without.  Throws Error for an unknown name.
std::vector<double> weights_of(const std::map<std::string, double>& weights,
                               const std::vector<std::string>& names);

/// The weights in a file that write_weights() made.  Throws Error naming file and line.
std::map<std::string, double> read_weights(const std::string& path);
std::string weights_text(const std::vector<std::string>& names, const std::vector<double>& weights);

}  // namespace awend::tools
