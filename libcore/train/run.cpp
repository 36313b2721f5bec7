#include "train/run.hpp"

#include <algorithm>
#include <filesystem>

#include "base/directory_lock.hpp"
#include "base/error.hpp"
#include "base/temporary_file.hpp"
#include "train/directories.hpp"
#include "train/session.hpp"
#include "train/together.hpp"

namespace awend::train {
namespace {

CorporaSettings corpora_settings(const RunSettings& settings, const text::Vocabulary& vocabulary) {
  // A sentence must fit into a batch and into the table of positions.
  const auto longest =
      std::min({settings.recipe.batch_tokens, settings.config.longest, data::kLongestSentence});
  const bool limited = settings.max_length > 0 && settings.max_length < longest;
  return {.vocabulary = vocabulary,
          .longest_training = limited ? settings.max_length + 1 : longest,
          .longest_validation = longest,
          .cache = settings.cache};
}

RunSettings with_default_paths(RunSettings settings) {
  const std::filesystem::path output = settings.output;
  if (settings.cache.empty()) settings.cache = (output / "cache").string();
  if (settings.log.empty()) settings.log = (output / "log.tsv").string();
  return settings;
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

/// Removes what a process that was killed has left; only the holder of the lock may.
void clean_up(const std::string& directory, const base::Report& report) {
  base::remove_abandoned(directory, store::is_checkpoint_name);
  for (const auto& state : store::states_without_weights(directory)) {
    report.note(base::concat(state, ": removed, its weights were never written"));
    std::error_code ignored;
    std::filesystem::remove(state, ignored);
  }
}

}  // namespace

void run(const RunSettings& requested, Ranks& ranks, const base::Report& report) {
  const auto started = Clock::now();
  const RunSettings settings = with_default_paths(requested);
  const bool first = ranks.rank() == 0;
  require_files(ranks, settings.texts);
  std::optional<text::Vocabulary> vocabulary;
  std::optional<store::Checkpoint> checkpoint;
  std::optional<std::string> end;
  Identity identity{settings.config, settings.recipe, {}, 0};
  Directories directories;
  std::optional<base::DirectoryLock> lock;  // released before the directories are removed
  in_turn(ranks, [&] {
    vocabulary = text::Vocabulary::read(settings.vocabulary);
    identity.vocabulary = vocabulary->serialize();
    identity.config.vocabulary = vocabulary->size();
    model::validate(identity.config);
    if (!first) return;
    directories.create_writable(settings.output);
    lock_output(settings.output, lock, report);
    clean_up(settings.output, report);
    checkpoint = find_checkpoint(settings.output, report);
    if (!checkpoint) return;
    require_same_run(*checkpoint, identity);
    const RunState state = read_state(*checkpoint);
    complete_save(settings.output, state, settings.course);
    end = end_of_course(settings.course, state);
  });
  if (end) report.warning(base::concat(settings.output, ": nothing left to do after ", *end));
  if (ranks.largest(end ? 1 : 0) > 0) return;

  auto texts = settings.texts;
  if (!first) texts.validation.reset();  // rank 0 validates
  std::optional<Corpora> corpora;
  report.status("reading the corpus");
  in_turn(ranks, [&] {
    directories.create(settings.cache);
    data::CorpusCache::remove_abandoned(settings.cache);
    corpora.emplace(texts, corpora_settings(settings, *vocabulary), report);
  });
  identity.corpus_fingerprint = corpora->fingerprint();
  if (checkpoint) require_same_corpus(*checkpoint, identity);
  require_same_run(ranks, identity);

  const std::int64_t rows_before = checkpoint ? read_state(*checkpoint).pass_rows : 0;
  report.status("opening the device");
  Session session({settings, identity, *corpora, *vocabulary, ranks, report},
                  static_cast<std::uint32_t>(ranks.largest(rows_before)));
  const RunState state = first ? session.begin(checkpoint) : RunState{};
  report.note("stopped: " + session.train(state, started));
  ranks.wait_for_all();  // for the last checkpoint: a rank that ends may take the others with it
}

}  // namespace awend::train
