#include "decode/open.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "decode/device.hpp"
#include "decode/parallel_scorer.hpp"
#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "decode/translation_parts.hpp"
#include "model/source_rules.hpp"
#include "nn/engine_start.hpp"

namespace awend::decode {
namespace {

TranslatorSettings settings_of(const std::vector<Checkpoint>& checkpoints,
                               const text::Vocabulary& vocabulary, const AllowedTokens& allowed,
                               const OpenOptions& options) {
  TranslatorSettings settings{.search = search_settings_of(*checkpoints.front())};
  if (options.settings) options.settings(settings);
  require_valid(settings);
  complete_sampling(settings.search);
  settings.special = {.end_of_sentence = vocabulary.end_of_sentence(),
                      .unknown = vocabulary.unknown()};
  settings.shortlist = allowed.of_all;
  settings.sentence_shortlist = allowed.of_each.get();
  settings.language_tokens = vocabulary.content().languages.empty() ? 0 : 1;
  return settings;
}

// As the programs do when they read lines.
void require_line(std::string_view line, std::string_view name) {
  if (const auto at = base::find_invalid_utf8(line); at != line.npos)
    base::fail(name, ": invalid UTF-8 at byte ", at + 1);
  if (line.find('\n') != line.npos) base::fail(name, ": has a line feed, and would be two lines");
}

const base::Report& noted(const base::Report& report, const std::vector<Checkpoint>& checkpoints) {
  for (const auto& checkpoint : checkpoints) report.note("model " + checkpoint->path());
  return report;
}

}  // namespace

TranslationModel::Parts::Parts(std::vector<Checkpoint> opened, const OpenOptions& options)
    : checkpoints(std::move(opened)),
      vocabularies(vocabularies_of(checkpoints)),
      report(noted(report_or_silent(options.report), checkpoints)),
      allowed(read_allowed_tokens(options.shortlist, *checkpoints.front(), vocabularies)),
      settings(settings_of(checkpoints, vocabularies.target, allowed, options)),
      ensemble(options.ensemble),
      engine(open_device(options.device, report)),
      sources(vocabularies.both().source, LineCodec::TypedEnd::kEnd),
      targets(vocabularies.target),
      source_language(LineLanguage::of_source(vocabularies.both().source, options.languages)),
      target_language(LineLanguage::of_target(vocabularies.target, options.languages)) {
  for (const auto& checkpoint : checkpoints) {
    models.push_back(std::make_unique<LoadedModel>(*engine, *checkpoint, options.device.precision));
    const auto& config = models.back()->seq2seq().config();
    if (!model::source_rules(config).empty()) strict_.push_back(config);
  }
}

Translator& TranslationModel::Parts::translator() {
  if (!translator_) {
    auto of_weights = engine->allocated_bytes();
    translator_.emplace(*engine, make_ensemble(models, ensemble), settings);
    const auto of_decoder = engine->allocated_bytes() - of_weights;
    for (const auto& model : models) of_weights += model->parameters().stored_bytes();
    report.note(base::concat("memory: weights ", of_weights >> 20, " MiB; decoders ",
                             translator_->decoders(), ", each at most ", of_decoder >> 20, " MiB"));
    nn::report_memory(*engine, report);
  }
  return *translator_;
}

PairScorer& TranslationModel::Parts::scorer() {
  if (!scorer_ && models.size() > 1) {
    scorer_ = std::make_unique<StepwiseScorer>(*engine, make_ensemble(models, ensemble),
                                               settings.special);
  } else if (!scorer_) {
    scorer_ = std::make_unique<ParallelScorer>(*engine, models.front()->view(),
                                               settings.special.end_of_sentence);
  }
  return *scorer_;
}

void TranslationModel::Parts::annotate(const ViewSettings& view_settings) {
  // In an ensemble the attention is that of the first model.
  attention_.emplace(
      *engine, models.front()->view(),
      TeacherForcedScorer::Settings{.end_of_sentence = settings.special.end_of_sentence,
                                    .keeps = TeacherForcedScorer::Keeps::kAttention});
  auto limited = view_settings;
  limited.max_tokens = settings.longest_piece;
  view.emplace(*attention_, vocabularies.both(), report, limited);
}

std::optional<std::string> TranslationModel::Parts::source_problem(
    std::span<const std::uint32_t> ids) const {
  for (const auto& config : strict_) {
    if (auto problem = model::source_problem(config, ids)) return problem;
  }
  return std::nullopt;
}

void TranslationModel::Parts::require_target(std::span<const std::uint32_t> ids) const {
  for (const auto& config : strict_) {
    if (const auto problem = model::target_problem(config, ids)) base::fail(*problem);
  }
}

SourceLine TranslationModel::Parts::read_source(std::string_view line, LineForm form) {
  SourceLine source{lines_++, {}, {}, {}};
  if (view) {
    auto tokens = sources.tokens_of(line, form);
    source.tokens = std::move(tokens.texts);
    source.ids = std::move(tokens.ids);
  } else {
    source.ids = sources.ids_of(line, form);
  }
  if (!source.ids.empty())
    source.languages.source = source_language.take(source.ids, source.tokens);
  if (const auto problem = source_problem(source.ids)) base::fail(*problem);
  return source;
}

void TranslationModel::Parts::require_whole(const SourceLine& line) {
  if (strict_.empty()) return;
  const auto longest = translator().longest_piece();
  if (line.ids.size() <= longest) return;
  base::fail(line.ids.size(), " tokens are more than ", longest,
             ", the longest input, and the model does not read lines in pieces");
}

void TranslationModel::Parts::put(SourceLine line, LineForm form,
                                  std::vector<std::uint32_t> prefix) {
  std::vector<std::string> no_texts;
  line.languages.target = target_language.take(prefix, no_texts);
  translator().put(line.ids, prefix, line.languages);
  if (!view) line.ids.clear();
  in_progress_.push_back({std::move(line), form});
}

std::optional<std::vector<Translation>> TranslationModel::Parts::take() {
  const auto answer = translator().take();
  if (!answer) return std::nullopt;
  std::vector<Translation> translations;
  for (const auto& hypothesis : *answer) {
    auto& translation = translations.emplace_back(Translation{hypothesis, {}});
    for (const std::uint32_t id : hypothesis.ids)
      translation.tokens.emplace_back(vocabularies.target.piece(id));
  }
  const auto [line, form] = std::move(in_progress_.front());
  in_progress_.pop_front();
  complete(line, form, translations);
  return translations;
}

void TranslationModel::Parts::restart() {
  translator().restart();
  lines_ = 0;
}

void TranslationModel::Parts::discard() {
  translator_.reset();
  in_progress_.clear();
}

void TranslationModel::Parts::complete(const SourceLine& line, LineForm form,
                                       std::vector<Translation>& translations) {
  for (auto& translation : translations) {
    const bool is_best = &translation == &translations.front();
    if (view)
      view->annotate(line, is_best ? AnswerView::Rank::kBest : AnswerView::Rank::kOther,
                     translation);
    if (form != LineForm::kRaw) continue;
    try {
      translation.text = targets.text_of(translation);
    } catch (const base::Error& error) {
      base::fail("the translation of line ", line.number + 1, ": ", error.what());
    }
  }
}

TranslationModel::TranslationModel(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TranslationModel::~TranslationModel() = default;
TranslationModel::TranslationModel(TranslationModel&&) noexcept = default;
TranslationModel& TranslationModel::operator=(TranslationModel&&) noexcept = default;

/// After an error of `call`, no line is in progress.
template <class Call>
auto TranslationModel::or_discard(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    parts_->discard();
    throw;
  }
}

std::vector<std::vector<Translation>> TranslationModel::translate(
    std::span<const std::string> lines, LineForm form) {
  base::check(!has_work(), "no other lines are in progress");
  std::vector<std::vector<Translation>> all;
  const auto take_available = [&] {
    while (auto translations = take()) all.push_back(std::move(*translations));
  };
  parts_->restart();
  // Before any is translated, which may take a while.
  for (std::size_t i = 0; i < lines.size(); ++i)
    require_line(lines[i], base::concat("line ", i + 1));
  or_discard([&] {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      while (!accepts_input()) {
        step();
        take_available();
      }
      base::with_name(base::concat("line ", i + 1), [&] { put(lines[i], form); });
    }
    while (has_work()) {
      step();
      take_available();
    }
  });
  return all;
}

void TranslationModel::put(std::string_view line, LineForm form, std::string_view prefix) {
  require_line(line, "the line");
  require_line(prefix, "the prefix");
  auto source = parts_->read_source(line, form);
  parts_->require_whole(source);
  parts_->put(std::move(source), form, parts_->targets.ids_of(prefix, form));
}

bool TranslationModel::accepts_input() const {
  return parts_->translator().accepts_input();
}

bool TranslationModel::has_work() const {
  return parts_->translator().has_work();
}

void TranslationModel::step() {
  base::check(has_work(), "lines are in progress");
  or_discard([&] { parts_->translator().step(); });
}

std::optional<std::vector<Translation>> TranslationModel::take() {
  return or_discard([&] { return parts_->take(); });
}

TranslationModel open(const std::string& path, const OpenOptions& options) {
  return open({&path, 1}, options);
}

TranslationModel open(std::span<const std::string> paths, const OpenOptions& options) {
  std::vector<Checkpoint> checkpoints;
  for (const auto& path : paths) checkpoints.push_back(open_checkpoint(path));
  auto model = open(std::move(checkpoints), options);
  model.parts().translator();  // so that errors of its settings and memory are those of opening
  return model;
}

TranslationModel open(std::vector<Checkpoint> checkpoints, const OpenOptions& options) {
  if (checkpoints.empty()) throw base::UsageError("no model is given");
  return TranslationModel(
      std::make_unique<TranslationModel::Parts>(std::move(checkpoints), options));
}

}  // namespace awend::decode
