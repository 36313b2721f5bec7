// The search for one sentence, without a device: takes candidates, extends hypotheses.
//
// decode/beam.hpp searches for the best hypotheses, decode/samples.hpp samples them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/logit_rules.hpp"

namespace awend::decode {

/// Sampling instead of beam search.
struct SamplingSettings {
  double temperature = 1;   ///< 0: the most probable token.
  std::uint32_t top_k = 0;  ///< Only the K most probable tokens; 0: all.
  double top_p = 1;         ///< Of those, the smallest set with this total probability.
  std::uint64_t seed = 1;
};

/// kGnmt: ((5 + length) / 6)^alpha, of the paper; kPower: length^alpha, of other toolkits.
enum class LengthPenalty { kGnmt, kPower };

/// Whether beam search produces the unknown token.  Marian excludes it after the softmax, so that
/// the probabilities of the other tokens stay those of the model.
enum class UnknownTokenUse { kAllowed, kExcluded };

struct SearchSettings {
  std::uint32_t beam_size = 4;
  double alpha = 0.6;
  LengthPenalty length_penalty = LengthPenalty::kGnmt;
  double max_length_ratio = 1;
  std::uint32_t max_length_extra = 50;
  std::uint32_t n_best = 1;
  UnknownTokenUse unknown_token = UnknownTokenUse::kAllowed;
  LogitRuleSettings rules{};
  std::optional<SamplingSettings> sampling =
      std::nullopt;  ///< n_best is then the number of samples.

  /// The maximum length of the output, end included, for a source of `source_tokens`, end excluded.
  std::uint32_t longest(std::uint32_t source_tokens) const;
  /// Continuations considered for each hypothesis.  A beam of one considers only the best, which is
  /// greedy search: an end of sentence in second place does not finish it.
  std::uint32_t considered() const { return sampling || beam_size == 1 ? 1 : 2 * beam_size; }
  /// Tokens selected for each hypothesis: one more if one of them may be excluded.
  std::uint32_t candidates() const {
    return considered() + (!sampling && unknown_token == UnknownTokenUse::kExcluded ? 1 : 0);
  }
};

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
  double score = 0;                   ///< Of a finished hypothesis, with length penalty.
  std::vector<float> of_tokens = {};  ///< ln P of each token, and of the end if reached.
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
  /// first.  Entries whose id is data::kNoToken are skipped.
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
