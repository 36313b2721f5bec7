#include "train/run.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/signals.hpp"
#include "nn/matrix_check.hpp"
#include "train/folders.hpp"
#include "train/loop.hpp"

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

void check_memory(const Trainer& trainer, const Validation* validation, const Course& course,
                  const base::Report& report) {
  const auto bytes =
      trainer.planned_bytes() + (validation != nullptr ? validation->planned_bytes() : 0);
  const auto planned_mib = (bytes + mib - 1) / mib;
  report.note(base::concat(trainer.transformer().config().vocabulary, " pieces, ", planned_mib,
                           " MiB of device memory planned"));
  if (course.memory_budget_mib == 0 || planned_mib <= course.memory_budget_mib) return;
  base::fail("training needs ", planned_mib, " MiB of device memory, --memory-budget is ",
             course.memory_budget_mib,
             " MiB; a smaller --batch-tokens with --accumulate needs less");
}

/// The run once its texts are read.
class Session {
 public:
  Session(const RunSettings& settings, const Identity& identity, const Corpora& corpora,
          const text::Vocabulary& vocabulary, const base::Report& report)
      : settings_(settings),
        identity_(identity),
        corpora_(corpora),
        engine_(settings.device),
        distrust_(nn::check_matrix_units(engine_, identity.recipe.precision)),
        trainer_(engine_, identity.config, identity.recipe) {
    report.note(engine_.device.description());
    if (!engine_.device.caution().empty()) report.warning(engine_.device.caution());
    if (!distrust_.empty()) report.warning(distrust_);
    if (corpora.validation()) {
      validation_ =
          std::make_unique<Validation>(engine_, trainer_.parameters(), trainer_.transformer(),
                                       *corpora.validation(), identity.recipe.batch_tokens);
      if (settings.course.valid_beam > 0) {
        translation_ = std::make_unique<TranslatedValidation>(
            engine_, trainer_.parameters(), trainer_.transformer(), *corpora.validation(),
            vocabulary, settings.course.valid_beam);
      }
    }
    check_memory(trainer_, validation_.get(), settings.course, report);
    report.note(base::concat(trainer_.parameters().numbers(), " parameters"));
  }

  RunState resume(const store::Checkpoint& checkpoint) {
    const RunState state = read_state(checkpoint);
    load_checkpoint(checkpoint, trainer_);
    trainer_.set_progress(state.progress);
    return state;
  }

  void start_from(const std::string& path) { load_weights(path, identity_, trainer_); }

  std::string train(const RunState& state, Clock::time_point started, const base::Report& report) {
    Log log(settings_.log);
    Loop loop({.trainer = trainer_,
               .validation = validation_.get(),
               .translation = translation_.get(),
               .log = log,
               .corpus = corpora_.training(),
               .identity = identity_,
               .course = settings_.course,
               .folder = settings_.output,
               .started = started},
              state);
    const auto reason = loop.run(report);
    log.close();
    return reason;
  }

 private:
  const RunSettings& settings_;
  const Identity& identity_;
  const Corpora& corpora_;
  nn::Engine engine_;
  std::string distrust_;  // of matrix units, found before the trainer chooses its kernels
  Trainer trainer_;
  std::unique_ptr<Validation> validation_;
  std::unique_ptr<TranslatedValidation> translation_;
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

  Session session(settings, identity, corpora, vocabulary, report);
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
