// The hypotheses of one sentence, from its first step to its last, without a device: candidates in,
// hypotheses out.
//
// decode/beam.hpp looks for the best ones, decode/samples.hpp draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/rules.hpp"

namespace awend::decode {

/// Tokens are drawn instead of searched for.
struct SamplingSettings {
  double temperature = 1;   ///< 0: the most probable token.
  std::uint32_t top_k = 0;  ///< Only the so many most probable tokens; 0: all.
  double top_p = 1;         ///< Of those, only the fewest that have this share of the probability.
  std::uint64_t seed = 1;
};

struct SearchSettings {
  std::uint32_t beam_size = 4;
  double alpha = 0.6;
  double max_length_ratio = 1;
  std::uint32_t max_length_extra = 50;
  std::uint32_t n_best = 1;
  RuleSettings rules{};
  std::optional<SamplingSettings> sampling = std::nullopt;  ///< Then n_best is the beam's size.

  /// The most tokens, end of sentence included, that a source of `source_tokens` (without it) may
  /// become.
  std::uint32_t longest(std::uint32_t source_tokens) const;
  /// Continuations of each hypothesis that a step looks at.  A beam of one looks at the best alone,
  /// and is greedy search: an end in second place does not end it.
  std::uint32_t candidates() const { return sampling || beam_size == 1 ? 1 : 2 * beam_size; }
};

/// ((5 + length) / 6)^α
double length_penalty(std::uint32_t length, double alpha);

/// A continuation of one hypothesis.
struct Candidate {
  std::uint32_t id;
  float log_probability;
};

struct Hypothesis {
  std::vector<std::uint32_t> ids;  ///< Without the end of sentence.
  double log_probability = 0;
  double score = 0;                   ///< Of a finished hypothesis: with the length penalty.
  std::vector<float> of_tokens = {};  ///< ln P of each token, and of the end where it came.
};

class Search {
 public:
  /// A hypothesis that lives, and the place it had among those of the step before.
  struct Living {
    Hypothesis hypothesis;
    std::uint32_t parent = 0;
    std::uint32_t number = 0;  ///< Of a sample: which it is of its line's.
  };
  virtual ~Search() = default;

  /// Empty when done.  At the start all are empty.
  const std::vector<Living>& living() const { return living_; }
  bool done() const { return living_.empty(); }

  /// One step: `candidates` holds settings.candidates() entries for each living hypothesis, best
  /// first.  Entries whose id is data::kNoToken are skipped.
  virtual void advance(std::span<const Candidate> candidates) = 0;

  /// Requires: done().
  virtual std::vector<Hypothesis> results() const = 0;

 protected:
  explicit Search(std::size_t hypotheses) : living_(hypotheses) {}
  Search(const Search&) = default;
  Search& operator=(const Search&) = default;
  Search(Search&&) = default;
  Search& operator=(Search&&) = default;

  std::vector<Living> living_;
};

}  // namespace awend::decode
