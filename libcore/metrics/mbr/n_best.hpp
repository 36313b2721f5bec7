// Lists of candidate translations with features, as translate and Moses write them:
// "LINE ||| TEXT ||| FEATURES ||| SCORE", the candidates of a line together.
//
// Test: tests/unit/metrics/mbr/n_best_test.cpp, tests/fuzz/targets/n_best.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace awend::metrics {

struct Feature {
  std::string name;
  double value = 0;
};

struct NBestEntry {
  std::uint64_t line = 0;  ///< From 0.
  std::string_view text;
  /// Those of "logprob= -1.5" by their names; "LM= 1 2" has LM.1 and LM.2; the last field is
  /// "score".
  std::vector<Feature> features = {};
};

/// Parses an entry (see text/n_best_line.hpp), whose features and score may be missing.  Throws
/// base::Error "WHERE: what"; `where` is "file:line".
NBestEntry parse_n_best_entry(std::string_view line, std::string_view where);

}  // namespace awend::metrics
