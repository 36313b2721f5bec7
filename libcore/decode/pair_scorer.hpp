// Scores of given translations, by one model or an ensemble.
//
// decode/teacher_forced_scorer.hpp scores all tokens at once with one model,
// decode/stepwise_scorer.hpp step by step with an ensemble.  Test: tests/learn/forced_test.cpp,
// tests/properties/ensemble_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace awend::decode {

/// A sentence and its translation, without the ends of sentences.
struct SentencePair {
  std::vector<std::uint32_t> source, target;

  /// Of the longer side, its end included.
  std::uint32_t tokens() const {
    return static_cast<std::uint32_t>(std::max(source.size(), target.size())) + 1;
  }
};

/// The most tokens of a side, its end included, that are scored.  A search splits longer lines.
inline constexpr std::uint32_t kMaxPairTokens = 60'000;

/// ln 0: of targets that do not have the length of all outputs (see model::Seq2Seq).
inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();

class PairScorer {
 public:
  virtual ~PairScorer() = default;

  /// Whether the device's memory is sufficient for a pair of this many tokens, and the model has
  /// positions for them.
  virtual bool fits(std::uint32_t tokens) = 0;
  /// ln P of each token of each target and of its end.  Requires: each pair fits.
  virtual std::vector<std::vector<float>> scores(std::span<const SentencePair> pairs) = 0;
};

}  // namespace awend::decode
