// BLEU and chrF of real translations of the validation text, by the parameters as they are: what
// the loss only hints at.
//
// The translations are those of decode/, by greedy search or a small beam; tokens go back to text
// by the vocabulary, hypotheses and references alike, and the scores are sacreBLEU's (BLEU with 13a
// and mixed case, chrF2).
// Test: tests/cli/train.sh, tests/learn/reversal_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "data/sentences.hpp"
#include "decode/translator.hpp"
#include "text/token_codec.hpp"
#include "train/log.hpp"

namespace awend::train {

class TranslatedValidation {
 public:
  /// `parameters`, `transformer`, `pairs` and `vocabulary` must outlive the object.
  TranslatedValidation(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Transformer& transformer, const data::SentencePairs& pairs,
                       const text::Vocabulary& vocabulary, std::uint32_t beam_size);

  Scores scores();

 private:
  std::string text_of(std::span<const std::uint32_t> ids);

  const data::SentencePairs& pairs_;
  text::TokenCodecModel coder_model_;
  std::unique_ptr<text::TokenCodec> coder_;
  decode::Translator translator_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<std::string> references_;
};

}  // namespace awend::train
