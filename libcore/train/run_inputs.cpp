#include "train/run_inputs.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/temporary_file.hpp"
#include "data/labels.hpp"
#include "model/checkpoint.hpp"
#include "model/setting_names.hpp"
#include "model/source_rules.hpp"
#include "store/array_file.hpp"
#include "store/checkpoints.hpp"
#include "text/spaced_words.hpp"
#include "train/checkpoint.hpp"
#include "train/log_file.hpp"
#include "train/ranks/rank_agreement.hpp"
#include "train/setting_names.hpp"
#include "train/stopping.hpp"

namespace awend::train {
namespace {

/// Both sides of a multilingual model begin with the tokens of their languages.
data::PairCheck::Problem language_problem(const text::Vocabulary& vocabulary) {
  return [&vocabulary](std::span<const std::uint32_t> ids) -> std::optional<std::string> {
    // Tags are optional.
    const bool has_languages =
        !vocabulary.content().languages.empty() && !text::has_language_tags(vocabulary);
    if (!has_languages || vocabulary.is_language(ids.front())) return std::nullopt;
    return "the line does not begin with the token of a language; tokenize it with its language";
  };
}

std::optional<data::PairCheck> pair_check(const model::Config& config,
                                          const text::Vocabularies& vocabularies) {
  if (!vocabularies.source.content().languages.empty() ||
      !vocabularies.target.content().languages.empty()) {
    return data::PairCheck{"languages", language_problem(vocabularies.source),
                           language_problem(vocabularies.target)};
  }
  const auto rules = model::source_rules(config);
  if (rules.empty()) return std::nullopt;
  using Ids = std::span<const std::uint32_t>;
  return data::PairCheck{rules, [=](Ids ids) { return model::source_problem(config, ids); },
                         [=](Ids ids) { return model::target_problem(config, ids); }};
}

// [CLS] A [SEP] B [SEP] with some tokens.
constexpr std::uint32_t kMinExampleRows = 8;

/// The labels of training, in files that are read again later.
std::vector<std::string> labels_of(const RunSettings& settings, const text::Vocabulary& vocabulary,
                                   const base::Report& report) {
  if (model::text_kind_of(settings.config) != model::TextKind::kLabeled) return {};
  std::vector<std::string> paths;
  for (const auto& [files, weight] : settings.texts.training) paths.push_back(files.target);
  auto labels = data::read_labels(paths, report);
  // The corpus cache stores them like tokens.
  if (labels.size() > vocabulary.size()) {
    base::fail(paths.front(), ": ", labels.size(), " labels, but at most as many as the ",
               vocabulary.size(), " pieces of the vocabulary are possible");
  }
  return labels;
}

data::CorpusKind corpus_kind(const model::Config& config) {
  switch (model::text_kind_of(config)) {
    case model::TextKind::kPairs:
      return data::CorpusKind::kPairs;
    case model::TextKind::kRunning:
      return data::CorpusKind::kRunning;
    case model::TextKind::kSpans:
      return data::CorpusKind::kSpans;
    case model::TextKind::kLabeled:
      break;
  }
  return config.bert.task == model::Task::kTag ? data::CorpusKind::kLabeledTokens
                                               : data::CorpusKind::kLabeledLines;
}

data::ExampleSettings example_settings(const Identity& identity, std::uint32_t longest_rows) {
  const auto& bert = identity.config.bert;
  return {.labeling = {.kind = corpus_kind(identity.config), .labels = bert.labels},
          .masking = {.longest_rows = longest_rows,
                      .mask_rate = bert.mask_rate,
                      .makes_pairs = bert.next_sentence == model::Switch::kOn,
                      .masks_whole_words = bert.whole_words == model::Switch::kOn,
                      .seed = identity.recipe.seed}};
}

CorporaSettings corpora_settings(const RunSettings& settings, const Identity& identity,
                                 const text::Vocabularies& vocabularies) {
  // A sentence must fit into a batch and into the table of positions.
  auto longest = std::min(
      {settings.recipe.batch_tokens, settings.config.max_positions, data::kLongestSentence});
  auto examples = example_settings(identity, longest);
  if (examples.labeling.kind != data::CorpusKind::kPairs) {
    if (longest < kMinExampleRows) {
      base::fail("examples of ", kMinExampleRows, " tokens need a batch and positions for them, ",
                 "got ", longest);
    }
    const auto special = data::encoder_ids(vocabularies.target);
    examples.labeling.separator = special.separator;
    examples.labeling.separators = special.separators;
    longest -= data::kAroundSegment - 1;  // the one is counted as the end of the sentence
  }
  const bool limited = settings.max_length > 0 && settings.max_length < longest;
  return {.vocabularies = vocabularies,
          .longest_training = limited ? settings.max_length + 1 : longest,
          .longest_validation = longest,
          .cache = settings.cache,
          .pair_check = pair_check(identity.config, vocabularies),
          .examples = examples,
          .show_task = settings.show_task};
}

/// Two runs in one directory would mix their checkpoints.
void lock_output(const std::string& directory, std::optional<base::DirectoryLock>& lock,
                 const base::Report& report) {
  lock.emplace(directory, "train");
  if (lock->is_effective()) return;
  report.warning(base::concat(directory,
                              ": its file system has no locks; make sure that no other "
                              "training writes there"));
}

/// Removes what a killed process has left; only the holder of the lock may.
void clean_up(const std::string& directory, const base::Report& report) {
  base::remove_abandoned(directory, store::is_checkpoint_name);
  settle_pending_states(directory, report);
}

/// Whether the log has all updates: a run that is interrupted after its last checkpoint makes up
/// for the last validation.
bool is_logged(const std::string& path, const RunState& state) {
  if (state.window.updates == 0) return true;
  const auto step = state.counts.step;
  const LogPlace place{step, state.log_begin, state.log_first_line};
  return last_logged_step(path, place).value_or(step) == step;
}

/// The weights that the run starts from, or an empty path.
std::string start_of(const RunSettings& settings,
                     const std::optional<store::Checkpoint>& checkpoint) {
  if (checkpoint) return checkpoint->weights;
  if (!settings.resume_from.empty())
    return store::resumable_checkpoint(settings.resume_from).weights;
  return settings.init_from.path;
}

}  // namespace

RunInputs::RunInputs(const RunSettings& settings, Ranks& ranks, const base::Report& report)
    : identity_{settings.config, settings.recipe, {}, 0, {}, {}} {
  in_turn(ranks, [&] { require_files(ranks, settings); });
  in_turn(ranks, [&] {
    read_vocabularies(settings.vocabulary);
    model::resolve_tokens(identity_.config,
                          [&](std::string_view token) { return vocabulary_->find(token); });
    identity_.config.bert.labels = labels_of(settings, *vocabulary_, report);
    model::validate(identity_.config);
    const auto end = vocabulary_->end_of_sentence();
    if (std::ranges::count(settings.config.transformer.masked_ids, end) > 0)
      base::fail(model::kMaskedIds, " must not contain the end of the sentence, ", end);
    if (ranks.rank() == 0) open(settings, report);
  });
  if (end_) report.warning(base::concat(settings.output, ": nothing left to do after ", *end_));
  is_complete_ = ranks.largest(end_ ? 1 : 0) > 0;
  if (is_complete_) return;
  recipe_before_ = text_of_first(ranks, recipe_before_);
  auto& labels = identity_.config.bert.labels;
  labels = text::spaced_words(text_of_first(ranks, base::join(labels, " ")));
  resume_recipe(settings);
}

/// A vocabulary, or a checkpoint with the vocabularies of its two sides.
void RunInputs::read_vocabularies(const std::string& path) {
  if (store::looks_like_checkpoint(path)) {
    const store::ArrayFile file(path);
    const auto name = path + ": vocabulary";
    vocabulary_ = text::Vocabulary::parse(file.metadata_at(store::keys::kVocabulary), name);
    if (const auto source = file.metadata(store::keys::kSourceVocabulary))
      source_vocabulary_ = text::Vocabulary::parse(*source, name);
  } else {
    vocabulary_ = text::Vocabulary::read(path);
  }
  identity_.vocabulary = vocabulary_->serialize();
  identity_.config.vocabulary = vocabulary_->size();
  identity_.config.source_vocabulary = 0;
  if (!source_vocabulary_) return;
  identity_.source_vocabulary = source_vocabulary_->serialize();
  if (source_vocabulary_->size() != vocabulary_->size())
    identity_.config.source_vocabulary = source_vocabulary_->size();
  if (source_vocabulary_->end_of_sentence() != vocabulary_->end_of_sentence())
    base::fail(path, ": the ends of sentences of source and target have different ids");
}

void RunInputs::open(const RunSettings& settings, const base::Report& report) {
  directories_.create_writable(settings.output);
  lock_output(settings.output, lock_, report);
  clean_up(settings.output, report);
  checkpoint_ = find_checkpoint(settings.output, report);
  start_ = start_of(settings, checkpoint_);
  if (identity_.recipe.quantize != Quantize::kNone && start_.empty())
    base::fail(kQuantize, " is for the last updates of a trained model; give ", kInitialWeights);
  if (!start_.empty()) {
    const store::ArrayFile start(start_);
    keep_labels_of(start);
    keep_defaults_of(start, report);
  }
  if (checkpoint_) read_checkpoint(settings);
  if (end_) return;
  directories_.create(settings.cache);  // the log may be there
  require_log_file(settings.log);
}

void RunInputs::read_checkpoint(const RunSettings& settings) {
  recipe_before_ = recipe_text(*checkpoint_);
  resume_recipe(settings);
  require_same_run(*checkpoint_, identity_);
  RunState state = read_state(*checkpoint_);
  state.best.compare_by(settings.limits.best_metric);
  const bool is_validated = !state.owes_validation || !settings.texts.validation;
  if (is_validated && is_logged(settings.log, state)) end_ = reached_limit(settings.limits, state);
  if (end_) complete_save(settings.output, state, settings.limits);
}

/// The same labels have the order of the checkpoint, so that its rows for them are used.
void RunInputs::keep_labels_of(const store::ArrayFile& start) {
  const auto before = model::read_config(start).bert.labels;
  auto sorted = before;
  std::ranges::sort(sorted);
  if (sorted == identity_.config.bert.labels) identity_.config.bert.labels = before;
}

/// What a checkpoint contains for translations, and training does not change.
void RunInputs::keep_defaults_of(const store::ArrayFile& start, const base::Report& report) {
  identity_.search = start.metadata(store::keys::kSearch).value_or("");
  if (!start.metadata(store::keys::kShortlist)) return;
  if (start.metadata(store::keys::kVocabulary) != identity_.vocabulary ||
      start.metadata(store::keys::kSourceVocabulary).value_or("") != identity_.source_vocabulary) {
    report.warning(start.path() +
                   ": its lexical shortlist is not kept, because the vocabulary differs");
    return;
  }
  const auto sizes = vocabularies();
  identity_.shortlist = store::shortlist_of(start, {sizes.source.size(), sizes.target.size()});
}

void RunInputs::resume_recipe(const RunSettings& settings) {
  if (recipe_before_.empty()) return;
  const auto then = store::Settings::from_json(recipe_before_, settings.output);
  identity_.recipe = resumed(identity_.recipe, then, settings.requested);
}

void RunInputs::read_corpora(const RunSettings& settings, Ranks& ranks,
                             const base::Report& report) {
  auto texts = settings.texts;
  if (ranks.rank() != 0) texts.validation.reset();  // rank 0 validates
  report.status("reading the corpus");
  in_turn(ranks, [&] {
    directories_.create(settings.cache);
    data::CorpusCache::remove_abandoned(settings.cache);
    corpora_.emplace(texts, corpora_settings(settings, identity_, vocabularies()), report);
  });
  identity_.corpus_fingerprint = corpora_->fingerprint();
  if (checkpoint_) require_same_corpus(*checkpoint_, identity_);
  require_same_run(ranks, identity_, settings.limits);
  // Only now: a run that is refused removes nothing.
  if (checkpoint_) complete_save(settings.output, read_state(*checkpoint_), settings.limits);
}

}  // namespace awend::train
