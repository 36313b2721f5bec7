// Beam search for one sentence (section 6.1 of the paper), without a device: candidates in,
// hypotheses out.
//
// A hypothesis is scored by ln P / ((5 + |Y|) / 6)^α, where |Y| counts the end of sentence.  Each
// step looks at the 2 · beam best continuations of each living hypothesis, so that as many that end
// as that go on can be kept.  The search stops when the worst of the n best finished ones is better
// than anything that lives can become. Test: tests/unit/decode/beam_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/rules.hpp"

namespace awend::decode {

struct SearchSettings {
  std::uint32_t beam_size = 4;
  double alpha = 0.6;
  double max_length_ratio = 1;
  std::uint32_t max_length_extra = 50;
  std::uint32_t n_best = 1;
  RuleSettings rules{};

  /// The most tokens, end of sentence included, that a source of `source_tokens` (without it) may
  /// become.
  std::uint32_t longest(std::uint32_t source_tokens) const;
  /// Continuations of each hypothesis that a step looks at.
  std::uint32_t candidates() const { return 2 * beam_size; }
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

class Beam {
 public:
  Beam(const SearchSettings& settings, std::uint32_t longest, std::uint32_t end_of_sentence);

  /// A hypothesis that lives, and the place it had among those of the step before.
  struct Living {
    Hypothesis hypothesis;
    std::uint32_t parent = 0;
  };
  /// Best first; one, empty, at the start.  Empty when done.
  const std::vector<Living>& living() const { return living_; }
  bool done() const { return living_.empty(); }

  /// One step: `candidates` holds settings.candidates() entries for each living hypothesis, best
  /// first.  Entries whose id is 0xffffffff are passed over.
  void advance(std::span<const Candidate> candidates);

  /// The n best, best first.  Where the limit of length ended the search with fewer finished, the
  /// best living ones fill up.
  std::vector<Hypothesis> results() const;

 private:
  void finish(Hypothesis hypothesis, std::uint32_t length);
  bool cannot_win(const Hypothesis& hypothesis) const;

  SearchSettings settings_;
  std::uint32_t longest_;
  std::uint32_t end_of_sentence_;
  std::uint32_t steps_ = 0;
  std::vector<Living> living_;
  std::vector<Hypothesis> finished_;  // best first, at most n_best or beam_size
};

}  // namespace awend::decode
