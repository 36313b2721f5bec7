// What a model, or several together, think of translations that are given.
//
// decode/forced_pass.hpp asks one model about all tokens at once, decode/forced_steps.hpp asks
// several step by step.  Test: tests/learn/forced_test.cpp, tests/properties/ensemble_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace awend::decode {

/// A sentence and its translation, without their ends.
struct GivenPair {
  std::vector<std::uint32_t> source, target;

  /// Of the longer side, the end counted.
  std::uint32_t tokens() const {
    return static_cast<std::uint32_t>(std::max(source.size(), target.size())) + 1;
  }
};

/// The most tokens of a side, the end counted, that are scored: what a search cuts a line at, at
/// the latest.
inline constexpr std::uint32_t kMostGiven = 60'000;

class GivenScorer {
 public:
  virtual ~GivenScorer() = default;

  /// Whether the device holds a pair of so many tokens, and the model has positions for them.
  virtual bool fits(std::uint32_t tokens) = 0;
  /// ln P of each token of each target and of its end.  Requires: each pair fits.
  virtual std::vector<std::vector<float>> scores(std::span<const GivenPair> pairs) = 0;
};

}  // namespace awend::decode
