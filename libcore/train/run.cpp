#include "train/run.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/signals.hpp"
#include "nn/matrix_check.hpp"
#include "train/folders.hpp"
#include "train/loop.hpp"
#include "train/pass_rows.hpp"

namespace awend::train {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

CorporaSettings corpora_settings(const RunSettings& settings, const text::Vocabulary& vocabulary,
                                 const std::string& cache) {
  // A sentence must fit into a batch and into the table of positions.
  const auto longest =
      std::min({settings.recipe.batch_tokens, settings.config.longest, data::kLongestSentence});
  const bool limited = settings.max_length > 0 && settings.max_length < longest;
  return {.vocabulary = vocabulary,
          .longest_training = limited ? settings.max_length + 1 : longest,
          .longest_validation = longest,
          .cache = cache};
}

/// The rows of a pass in this run: those of its past, if they fit.
std::uint32_t rows_of_passes(nn::Engine& engine, TrainedModel& model, const PassBounds& bounds,
                             std::uint32_t rows_before, const base::Report& report) {
  PassBounds own = bounds;
  if (rows_before > 0) own.most_rows = std::min(bounds.most_rows, rows_before);
  const auto rows = rows_that_fit(engine, model.parameters(), model.transformer(), own);
  if (rows_before > 0 && rows != rows_before) {
    report.warning(base::concat("passes have ", rows, " tokens a side, before they had ",
                                rows_before, ": the run goes on, but not to the last bit"));
  }
  return rows;
}

/// The run once its texts are read.
class Session {
 public:
  Session(const RunSettings& settings, const Identity& identity, const Corpora& corpora,
          const text::Vocabulary& vocabulary, std::uint32_t rows_before, const base::Report& report)
      : settings_(settings),
        identity_(identity),
        corpora_(corpora),
        engine_(settings.device),
        distrust_(nn::check_matrix_units(engine_, identity.recipe.precision)),
        model_(engine_, identity.config, identity.recipe) {
    report.note(engine_.device.description());
    if (!engine_.device.caution().empty()) report.warning(engine_.device.caution());
    if (!distrust_.empty()) report.warning(distrust_);
    auto& parameters = model_.parameters();
    const auto& transformer = model_.transformer();
    const auto& validation = corpora.validation();
    if (validation && settings.course.valid_beam > 0) {
      translation_ = std::make_unique<TranslatedValidation>(
          engine_, parameters, transformer, *validation, vocabulary, settings.course.valid_beam);
    }
    pass_rows_ = rows_of_passes(engine_, model_, bounds(), rows_before, report);
    trainer_ = std::make_unique<Trainer>(engine_, model_, identity.recipe, pass_rows_);
    if (validation) {
      validation_ =
          std::make_unique<Validation>(engine_, parameters, transformer, *validation, pass_rows_);
    }
    report.note(base::concat(parameters.numbers(), " parameters, ", identity.config.vocabulary,
                             " pieces, ", (engine_.device.arena_bytes() + mib - 1) / mib,
                             " MiB of device memory, passes of ", pass_rows_, " tokens a side"));
  }

  RunState resume(const store::Checkpoint& checkpoint) {
    const RunState state = read_state(checkpoint);
    load_checkpoint(checkpoint, *trainer_);
    trainer_->set_progress(state.progress);
    return state;
  }

  void start_from(const std::string& path) { load_weights(path, identity_, *trainer_); }

  std::string train(const RunState& state, Clock::time_point started, const base::Report& report) {
    Log log(settings_.log);
    Loop loop({.trainer = *trainer_,
               .validation = validation_.get(),
               .translation = translation_.get(),
               .log = log,
               .corpus = corpora_.training(),
               .identity = identity_,
               .pass_rows = pass_rows_,
               .course = settings_.course,
               .folder = settings_.output,
               .started = started},
              state);
    const auto reason = loop.run(report);
    log.close();
    return reason;
  }

 private:
  PassBounds bounds() const {
    PassBounds bounds{.least_rows = corpora_.training().longest(),
                      .most_rows = identity_.recipe.batch_tokens,
                      .validates = corpora_.validation().has_value(),
                      .budget_bytes = settings_.course.memory_budget_mib * mib};
    if (corpora_.validation()) {
      bounds.least_rows =
          std::max(bounds.least_rows, data::PairsView(*corpora_.validation()).longest());
    }
    return bounds;
  }

  const RunSettings& settings_;
  const Identity& identity_;
  const Corpora& corpora_;
  nn::Engine engine_;
  std::string distrust_;  // of matrix units, found before the trainer chooses its kernels
  TrainedModel model_;
  std::unique_ptr<TranslatedValidation> translation_;
  std::uint32_t pass_rows_ = 0;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<Validation> validation_;
};

}  // namespace

void run(const RunSettings& settings, const base::Report& report) {
  const auto started = Clock::now();
  const auto vocabulary = text::Vocabulary::read(settings.vocabulary);
  Identity identity{settings.config, settings.recipe, vocabulary.serialize(), 0};
  identity.config.vocabulary = vocabulary.size();
  model::validate(identity.config);

  const auto checkpoint = find_checkpoint(settings.output);
  if (checkpoint) {
    require_same_run(*checkpoint, identity);
    if (const auto end = end_of_course(settings.course, read_state(*checkpoint))) {
      return report.warning(base::concat(settings.output, ": nothing left to do after ", *end));
    }
  }
  const auto cache = settings.cache.empty()
                         ? (std::filesystem::path(settings.output) / "cache").string()
                         : settings.cache;
  Folders folders;
  folders.make_writable(settings.output);
  folders.make(cache);
  const Corpora corpora(settings.texts, corpora_settings(settings, vocabulary, cache), report);
  identity.corpus_fingerprint = corpora.fingerprint();
  if (checkpoint) require_same_corpus(*checkpoint, identity);

  const std::uint32_t rows_before = checkpoint ? read_state(*checkpoint).pass_rows : 0;
  Session session(settings, identity, corpora, vocabulary, rows_before, report);
  RunState state;
  if (checkpoint) {
    state = session.resume(*checkpoint);
    report.note(base::concat("going on from ", checkpoint->weights));
  } else if (!settings.init_from.empty()) {
    session.start_from(settings.init_from);
  }
  report.note("stopped: " + session.train(state, started, report));
  if (base::stop_signal() != 0) throw base::Interrupted();
}

}  // namespace awend::train
