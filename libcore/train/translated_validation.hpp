// Scores of translations of the validation text with the current parameters: BLEU and chrF, or the
// accuracy of the answers of a memory network.
//
// Translates as the program translate does, into the languages of the references if they have
// any.  Hypotheses and references are detokenized with the vocabulary and scored as by sacreBLEU
// (BLEU with 13a and mixed case, chrF2).  Test: tests/cli/train.sh,
// tests/cli/multilingual_models.sh, tests/learn/reversal_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "data/sentences.hpp"
#include "decode/translator.hpp"
#include "text/token_codec.hpp"
#include "train/evaluation.hpp"

namespace awend::train {

struct ValidationText {
  const data::SentencePairs& pairs;
  const text::Vocabulary& vocabulary;
};

class TranslatedValidation : public ScoredValidation {
 public:
  /// Model and text must outlive the object.
  TranslatedValidation(nn::Engine& engine, const model::Seq2SeqView& model,
                       const ValidationText& text, const decode::SearchSettings& search);

  Scores scores() override;

 private:
  std::string text_of(std::span<const std::uint32_t> ids);
  double accuracy_of(const std::vector<decode::Translator::Answer>& answers) const;

  const data::SentencePairs& pairs_;
  bool answers_;
  text::TokenCodecModel coder_model_;
  std::unique_ptr<text::TokenCodec> coder_;
  decode::Translator translator_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<decode::SentenceLanguages> languages_;  // of the lines and the references
  std::vector<std::string> references_;
};

}  // namespace awend::train
