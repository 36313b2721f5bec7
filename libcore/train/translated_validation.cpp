#include "train/translated_validation.hpp"

#include "metrics/bleu/bleu.hpp"
#include "metrics/chrf/chrf.hpp"

namespace awend::train {
namespace {

decode::TranslatorSettings settings_of(const data::SentencePairs& pairs, std::uint32_t beam_size) {
  decode::TranslatorSettings settings;
  settings.search.beam_size = beam_size;
  settings.batch_tokens = 4096;  // training needs the rest of the memory
  settings.special.end_of_sentence = pairs.end_of_sentence;
  return settings;
}

}  // namespace

TranslatedValidation::TranslatedValidation(nn::Engine& engine, const model::Seq2SeqView& model,
                                           const ValidationText& text, std::uint32_t beam_size)
    : pairs_(text.pairs),
      coder_model_(text.vocabulary),
      coder_(coder_model_.make()),
      translator_(engine, decode::single_model(model), settings_of(text.pairs, beam_size)) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto source = pairs_.source[i];
    sources_.emplace_back(source.begin(), source.end());
    references_.push_back(text_of(pairs_.target[i]));
  }
}

std::string TranslatedValidation::text_of(std::span<const std::uint32_t> ids) {
  std::string line;
  coder_->decode_ids(ids, line);
  return line;
}

Scores TranslatedValidation::scores() {
  std::vector<std::string> hypotheses;
  for (const auto& translation : translator_.translate(sources_))
    hypotheses.push_back(text_of(translation.front().ids));
  return {.bleu = metrics::Bleu().score(hypotheses, references_).value,
          .chrf = metrics::Chrf().score(hypotheses, references_).value};
}

}  // namespace awend::train
