// Beam search for one sentence (section 6.1 of the paper).
//
// A hypothesis is scored by ln P / ((5 + |Y|) / 6)^α, where |Y| counts the end of sentence.  Each
// step considers the 2 · beam best continuations of each live hypothesis, so that enough remain if
// half of them end.  If all outputs have the same length, ends are no candidates, but follow with
// probability 1.  The search stops when the worst of the n best finished hypotheses is better
// than any live hypothesis can become.  Test: tests/unit/decode/beam_test.cpp.
#pragma once

#include "decode/search.hpp"
#include "decode/special_ids.hpp"

namespace awend::decode {

class Beam : public Search {
 public:
  Beam(const SearchSettings& settings, std::uint32_t longest, const SpecialIds& special);

  void advance(std::span<const Candidate> candidates) override;

  /// The n best, best first.  If the length limit, or rules that exclude all tokens, ended the
  /// search with fewer finished, the best live hypotheses fill the list.
  std::vector<Hypothesis> results() const override;

 private:
  bool is_allowed(const Candidate& candidate) const;
  bool are_excluded(std::span<const Candidate> candidates) const;
  /// Ends the search.
  void truncate();
  void finish(Hypothesis hypothesis, std::uint32_t length);
  bool cannot_win(const Hypothesis& hypothesis) const;

  SearchSettings settings_;
  std::uint32_t longest_;
  SpecialIds special_;
  std::uint32_t steps_ = 0;
  std::vector<Hypothesis> finished_;  // best first, at most n_best or beam_size
};

}  // namespace awend::decode
