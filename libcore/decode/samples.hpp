// Translations of one sentence drawn by chance, each token by its probability and each translation
// for itself.
//
// A draw depends on the seed, the line, the translation's number and the place in it, and on
// nothing else: neither on the lines beside it nor on when it comes.  Test:
// tests/unit/decode/samples_test.cpp, tests/properties/sampling_test.cpp.
#pragma once

#include <array>

#include "decode/search.hpp"

namespace awend::decode {

/// What is drawn for.
struct DrawPlace {
  std::uint64_t line;        ///< Of the whole input, from 0.
  std::uint32_t piece;       ///< Of the line.
  std::uint32_t hypothesis;  ///< Of the piece.
  std::uint32_t position;    ///< Tokens before.
};

/// The key of the random numbers for one token.
std::array<std::uint32_t, 2> draw_key(std::uint64_t seed, const DrawPlace& place);

class Samples : public Search {
 public:
  /// Draws settings.n_best translations.
  Samples(const SearchSettings& settings, std::uint32_t longest, std::uint32_t end_of_sentence);

  void advance(std::span<const Candidate> candidates) override;
  /// By number.
  std::vector<Hypothesis> results() const override { return finished_; }

 private:
  double alpha_;
  std::uint32_t longest_;
  std::uint32_t end_of_sentence_;
  std::vector<Hypothesis> finished_;  // by number
};

}  // namespace awend::decode
