// The search for one sentence, without a device: takes candidates, extends hypotheses.
//
// decode/beam.hpp searches for the best hypotheses, decode/samples.hpp samples them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/search_settings.hpp"

namespace awend::decode {

/// What the log-probability of `length` tokens, the end included, is divided by.
double length_penalty(std::uint32_t length, double alpha,
                      LengthPenalty form = LengthPenalty::kGnmt);

/// A continuation of one hypothesis.
struct Candidate {
  std::uint32_t id;
  float log_probability;
};

struct Hypothesis {
  std::vector<std::uint32_t> ids;  ///< Without the end of sentence.
  double log_probability = 0;
  double score = 0;  ///< Of a finished hypothesis, with length penalty.
  /// ln P of each token, and of the end if reached; so of each piece, if a line was split.
  std::vector<float> of_tokens = {};
};

class Search {
 public:
  /// An unfinished hypothesis, and the index of its parent in the previous step.
  struct LiveHypothesis {
    Hypothesis hypothesis;
    std::uint32_t parent = 0;
    std::uint32_t number = 0;  ///< Of a sample, within its line.
  };
  virtual ~Search() = default;

  /// Empty when done.  Initial hypotheses have no tokens.
  const std::vector<LiveHypothesis>& live() const { return live_; }
  bool done() const { return live_.empty(); }

  /// One step: `candidates` holds settings.candidates() entries for each living hypothesis, best
  /// first.  Entries whose id is batch::kNoToken are skipped.
  virtual void advance(std::span<const Candidate> candidates) = 0;

  /// Requires: done().
  virtual std::vector<Hypothesis> results() const = 0;

 protected:
  explicit Search(std::size_t hypotheses) : live_(hypotheses) {}
  Search(const Search&) = default;
  Search& operator=(const Search&) = default;
  Search(Search&&) = default;
  Search& operator=(Search&&) = default;

  std::vector<LiveHypothesis> live_;
};

}  // namespace awend::decode
