#include "train/translated_validation.hpp"

#include <algorithm>

#include "metrics/bleu/bleu.hpp"
#include "metrics/chrf/chrf.hpp"

namespace awend::train {
namespace {

decode::TranslatorSettings settings_of(const ValidationText& text,
                                       const decode::SearchSettings& search) {
  decode::TranslatorSettings settings{.search = search};
  settings.batch_tokens = 4096;  // training needs the rest of the memory
  settings.special = {text.pairs.end_of_sentence, text.vocabulary.unknown()};
  settings.language_tokens = text.vocabulary.content().languages.empty() ? 0 : 1;
  return settings;
}

/// Removes the token of a language from the beginning of a line, and returns it.
std::optional<std::uint32_t> take_language(const text::Vocabulary& vocabulary,
                                           std::vector<std::uint32_t>& ids) {
  if (ids.empty() || !vocabulary.is_language(ids.front())) return std::nullopt;
  const auto first = ids.front();
  ids.erase(ids.begin());
  return first;
}

}  // namespace

TranslatedValidation::TranslatedValidation(nn::Engine& engine, const model::Seq2SeqView& model,
                                           const ValidationText& text,
                                           const decode::SearchSettings& search)
    : pairs_(text.pairs),
      answers_(model::reads_stories(model.seq2seq->config())),
      coder_model_(text.vocabulary),
      coder_(coder_model_.make()),
      translator_(engine, decode::single_model(model), settings_of(text, search)) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto source = pairs_.source[i], target = pairs_.target[i];
    auto& ids = sources_.emplace_back(source.begin(), source.end());
    std::vector<std::uint32_t> reference(target.begin(), target.end());
    languages_.push_back({.source = take_language(text.vocabulary, ids),
                          .target = take_language(text.vocabulary, reference)});
    if (!answers_) references_.push_back(text_of(reference));
  }
}

std::string TranslatedValidation::text_of(std::span<const std::uint32_t> ids) {
  std::string line;
  coder_->decode_ids(ids, line);
  return line;
}

Scores TranslatedValidation::scores() {
  const auto translations = translator_.translate(sources_, languages_);
  if (answers_) return {{ValidationMetric::kAccuracy, accuracy_of(translations)}};
  std::vector<std::string> hypotheses;
  for (const auto& translation : translations)
    hypotheses.push_back(text_of(translation.front().ids));
  return {{ValidationMetric::kBleu, metrics::Bleu().score(hypotheses, references_).value},
          {ValidationMetric::kChrf, metrics::Chrf().score(hypotheses, references_).value}};
}

/// An answer is right if all of its tokens are.
double TranslatedValidation::accuracy_of(
    const std::vector<decode::Translator::Answer>& answers) const {
  std::size_t right = 0;
  for (std::size_t i = 0; i < answers.size(); ++i)
    right += std::ranges::equal(answers[i].front().ids, pairs_.target[i]) ? 1 : 0;
  return percentage(right, answers.size());
}

}  // namespace awend::train
