#include "decode/answer_view.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "batch/packed_batch.hpp"
#include "decode/line_languages.hpp"
#include "text/piece_words.hpp"

namespace awend::decode {
namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& tokens) {
  return {tokens.begin(), tokens.end()};
}

bool is_empty(const batch::RowRange& range) {
  return range.begin == range.end;
}

/// The tokens of a sentence or question as text.
std::string joined(const std::vector<std::string>& tokens, const batch::RowRange& range) {
  std::string text;
  for (std::uint32_t i = range.begin; i < range.end; ++i)
    text += (i > range.begin ? " " : "") + tokens[i];
  return text;
}

/// The sentences of a line as texts.
std::vector<std::string> joined(const std::vector<std::string>& tokens,
                                const std::vector<batch::RowRange>& sentences) {
  std::vector<std::string> texts;
  for (const auto& range : sentences)
    texts.push_back(is_empty(range) ? "(empty)" : joined(tokens, range));
  return texts;
}

/// The tokens after that of a language, if there is one, and with the end.
std::vector<std::string> whole(const text::Vocabulary& vocabulary,
                               std::optional<std::uint32_t> language,
                               const std::vector<std::string>& tokens) {
  std::vector<std::string> all;
  if (language) all.emplace_back(vocabulary.piece(*language));
  all.insert(all.end(), tokens.begin(), tokens.end());
  all.emplace_back("</s>");
  return all;
}

/// The alignment of the tokens of a line and its translation, without those of languages.
Alignment align_text(const SourceLine& line, const Attentions& attentions,
                     const AlignmentSettings& settings) {
  return without_first(align(attentions, settings), line.languages.target ? 1 : 0,
                       line.languages.source ? 1 : 0);
}

void require_layer(const AlignmentSettings& settings, const store::AttentionLayout& layout) {
  const std::uint32_t layers = layout.decoder_layers;
  if (settings.layer.value_or(1) > layers)
    base::fail("alignment layer ", *settings.layer, " does not exist; the decoder has ", layers,
               " layers");
}

}  // namespace

AnswerView::AnswerView(TeacherForcedScorer& scorer, const text::Vocabularies& vocabularies,
                       const base::Report& report, ViewSettings settings)
    : scorer_(scorer),
      vocabularies_(vocabularies),
      long_lines_(report),
      empty_lines_(report),
      settings_(std::move(settings)) {
  if (settings_.is_needed() && scorer.attention_layout().decoder_layers == 0)
    base::fail("the model has no attention between decoder and encoder");
  const bool needs_tokens = settings_.alignment || settings_.weights ||
                            settings_.unknown == ViewSettings::Unknown::kReplace;
  if (needs_tokens && scorer.attends_to_sentences())
    base::fail("the model attends to sentences, not to tokens: it has no alignment");
  // Only some lines need weights.
  if (settings_.weights) require_layer(*settings_.weights, scorer.attention_layout());
  if (settings_.attention_file.empty()) return;
  if (!scorer.has_probabilities()) {
    base::fail(
        "the model was saved during its linear start, when attention is not yet a "
        "distribution");
  }
  file_.emplace(settings_.attention_file);
  file_->write(store::attention_header(scorer.attention_layout()));
}

void AnswerView::annotate(const SourceLine& line, Rank rank, Translation& answer) {
  const Hypothesis& hypothesis = answer.hypothesis;
  if (settings_.alignment) answer.alignment.emplace();
  const bool keeps = file_ && rank == Rank::kBest;
  const bool replaces = settings_.unknown == ViewSettings::Unknown::kReplace &&
                        std::ranges::count(hypothesis.ids, vocabularies_.target.unknown()) > 0;
  const bool weighs = settings_.weights && line.needs_weights && rank == Rank::kBest;
  if (line.tokens.empty() || (!keeps && !replaces && !weighs && !settings_.alignment)) return;
  const SentencePair pair{with_language(line.languages.source, line.ids),
                          with_language(line.languages.target, hypothesis.ids)};
  const auto tokens = static_cast<std::uint32_t>(std::max(line.ids.size(), hypothesis.ids.size()));
  if (tokens > settings_.max_tokens || !scorer_.fits(pair.tokens())) {
    if (rank == Rank::kBest) {
      long_lines_.add(base::concat("line ", line.number + 1, " has ", tokens,
                                   " tokens on a side: no attention or alignment for it"));
    }
    return;
  }
  const auto attentions = scorer_.attention(pair);
  const auto& sentences = attentions.sentences;
  if (keeps && sentences && std::ranges::all_of(*sentences, is_empty)) {
    empty_lines_.add(
        base::concat("line ", line.number + 1, " has no sentences: no attention for it"));
    return;
  }
  if (keeps) {
    file_->write(store::to_json(
        {.line = line.number,
         .source = sentences ? joined(line.tokens, *sentences)
                             : whole(vocabularies_.source, line.languages.source, line.tokens),
         .target = whole(vocabularies_.target, line.languages.target, answer.tokens),
         .question = joined(line.tokens, scorer_.question(pair.source)),
         .encoder = attentions.encoder,
         .decoder = attentions.decoder,
         .cross = attentions.cross}));
  }
  if (replaces) {
    const auto best = best_sources(
        align_text(line, attentions, settings_.alignment.value_or(AlignmentSettings{})));
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (hypothesis.ids[i] == vocabularies_.target.unknown() && best[i])
        answer.tokens[i] = line.tokens[*best[i]];
    }
  }
  if (settings_.alignment) answer.alignment = alignment_text(line, answer, attentions);
  if (weighs) answer.weights = align_text(line, attentions, *settings_.weights);
}

std::string AnswerView::alignment_text(const SourceLine& line, const Translation& answer,
                                       const Attentions& attentions) const {
  auto alignment = align_text(line, attentions, *settings_.alignment);
  if (settings_.unit == ViewSettings::Unit::kWords) {
    const auto source = text::words_of_pieces(vocabularies_.source, views_of(line.tokens));
    const auto target = text::words_of_pieces(vocabularies_.target, views_of(answer.tokens));
    alignment = by_words(alignment, source, target);
  }
  return to_text(alignment, *settings_.alignment);
}

void AnswerView::close() {
  long_lines_.summarize(" that are too long for it");
  empty_lines_.summarize(" without sentences");
  if (file_) file_->commit();
}

}  // namespace awend::decode
