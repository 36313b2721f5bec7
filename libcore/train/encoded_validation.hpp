// The accuracy of the predictions for the validation text with the current parameters, of a model
// for given text.  Test: tests/learn/bert_test.cpp.
#pragma once

#include "data/pairs_view.hpp"
#include "decode/sentence_encoder.hpp"
#include "train/evaluation.hpp"

namespace awend::train {

class EncodedValidation : public ScoredValidation {
 public:
  /// The model and the data of `pairs`, which have a packing, must outlive the object.
  EncodedValidation(nn::Engine& engine, const model::EncoderView& model,
                    const data::PairsView& pairs);

  Scores scores() override;

 private:
  decode::SentenceEncoder encoder_;
  Metrics metrics_;
  std::vector<data::EncoderLine> lines_;
  std::vector<std::uint32_t> answers_;  // of all predictions
  std::vector<std::uint32_t> labels_;   // of the lines: 0 if the second segment follows
};

}  // namespace awend::train
