// Sampled translations of one sentence, independent of each other.
//
// The random numbers of a token depend only on the seed, the line, the number of the translation
// and the position, not on other lines or on scheduling.  Test: tests/unit/decode/samples_test.cpp,
// tests/properties/sampling_test.cpp.
#pragma once

#include <array>

#include "decode/search.hpp"

namespace awend::decode {

/// A token of a sample.
struct SampleIndex {
  std::uint64_t line;        ///< In the input, from 0.
  std::uint32_t piece;       ///< Of the line.
  std::uint32_t hypothesis;  ///< Of the piece.
  std::uint32_t position;    ///< Tokens before.
};

/// The key of the random numbers for a token.
std::array<std::uint32_t, 2> random_key_of(std::uint64_t seed, const SampleIndex& place);

class Samples : public Search {
 public:
  /// Samples settings.n_best translations.
  Samples(const SearchSettings& settings, std::uint32_t longest, std::uint32_t end_of_sentence);

  void advance(std::span<const Candidate> candidates) override;
  /// By number.
  std::vector<Hypothesis> results() const override { return finished_; }

 private:
  double alpha_;
  LengthPenalty length_penalty_;
  std::optional<std::uint32_t> output_length_;
  std::uint32_t longest_;
  std::uint32_t end_of_sentence_;
  bool has_rules_;
  std::vector<Hypothesis> finished_;  // by number
};

}  // namespace awend::decode
