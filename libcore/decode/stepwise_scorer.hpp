// Models together over translations that are given: step by step, as a search of theirs goes, since
// what they say together is known only where their distributions over the whole vocabulary meet.
//
// Test: tests/properties/ensemble_test.cpp.
#pragma once

#include <memory>

#include "decode/pair_scorer.hpp"
#include "decode/search.hpp"
#include "decode/stepper.hpp"

namespace awend::decode {

class StepwiseScorer : public PairScorer {
 public:
  /// The models must outlive the object.
  StepwiseScorer(nn::Engine& engine, Ensemble ensemble, const SpecialIds& special);

  bool fits(std::uint32_t tokens) override;
  std::vector<std::vector<float>> scores(std::span<const SentencePair> pairs) override;

 private:
  StepperCapacity capacity_of(std::uint32_t tokens) const;
  Stepper& stepper_for(std::uint32_t tokens);

  nn::Engine& engine_;
  Ensemble ensemble_;
  SpecialIds special_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace awend::decode
