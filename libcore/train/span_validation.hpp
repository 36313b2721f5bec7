// The answers to the questions of the validation text with the current parameters: their exact
// match with the given ones, and the F1 of their tokens, as in SQuAD, but by tokens of the text.
// Test: tests/learn/bert_test.cpp.
#pragma once

#include "data/pairs_view.hpp"
#include "decode/answer_span.hpp"
#include "decode/sentence_encoder.hpp"
#include "train/evaluation.hpp"

namespace awend::train {

/// The F1 of the tokens of an answer, in [0, 1]: each token counts as often as it occurs.  If one
/// of both is empty, it is 1 if the other is, too.
double token_f1(std::span<const std::uint32_t> answer, std::span<const std::uint32_t> reference);

class SpanValidation : public ScoredValidation {
 public:
  /// The model and the data of `pairs`, which have a packing, must outlive the object.  Questions
  /// may have no answer if the text has such a question.
  SpanValidation(nn::Engine& engine, const model::EncoderView& model, const data::PairsView& pairs);

  Scores scores() override;

 private:
  decode::SentenceEncoder encoder_;
  decode::AnswerSettings settings_;
  std::vector<data::EncoderLine> lines_;
  std::vector<batch::RowRange> references_;  // places in the lines
};

}  // namespace awend::train
