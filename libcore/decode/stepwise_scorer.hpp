// Scores given translations with an ensemble, step by step as in a search, because the
// distributions of the models are mixed over the whole vocabulary.
//
// Test: tests/properties/ensemble_test.cpp.
#pragma once

#include <memory>

#include "decode/device_step_model.hpp"
#include "decode/pair_scorer.hpp"
#include "decode/search.hpp"

namespace awend::decode {

class StepwiseScorer : public PairScorer {
 public:
  /// The models must outlive the object.
  StepwiseScorer(nn::Engine& engine, Ensemble ensemble, const SpecialIds& special);

  bool fits(std::uint32_t tokens) override;
  std::vector<std::vector<float>> scores(std::span<const SentencePair> pairs) override;

 private:
  SearchCapacity capacity_of(std::uint32_t tokens) const;
  DeviceStepModel& step_model_for(std::uint32_t tokens);

  nn::Engine& engine_;
  Ensemble ensemble_;
  SpecialIds special_;
  std::unique_ptr<DeviceStepModel> step_model_;
};

}  // namespace awend::decode
