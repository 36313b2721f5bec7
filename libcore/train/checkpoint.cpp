#include "train/checkpoint.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/mapped_file.hpp"
#include "base/temporary_file.hpp"
#include "model/activation_scales.hpp"
#include "model/checkpoint.hpp"
#include "store/weights.hpp"
#include "train/loss_scale.hpp"
#include "train/setting_names.hpp"
#include "train/state_file.hpp"
#include "train/state_text.hpp"

namespace awend::train {
namespace {

using Buffer = nn::Parameters::Buffer;

/// A file that cannot be removed only takes space; training continues.
void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

std::string best_path(const std::string& directory) {
  return (std::filesystem::path(directory) / store::kBestName).string();
}

void prune(const std::string& directory, const RunState& state, const RunLimits& limits) {
  // The validation at the end of a run, or another metric, may have chosen one that is not listed.
  const auto linked = store::checkpoint_at(best_path(directory)).step;
  const auto& best = state.best.list;
  const auto last = best.begin() + std::min<std::ptrdiff_t>(std::ssize(best), limits.keep_best);
  for (const auto& orphan : store::states_without_weights(directory)) {
    if (orphan.step < state.counts.step) remove_quietly(orphan.path);
  }
  const auto checkpoints = store::list_checkpoints(directory);
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const auto& checkpoint = checkpoints[i];
    if (checkpoint.step >= state.counts.step) continue;
    const auto age = checkpoints.size() - i;  // 1: the newest
    const bool keeps_state = age <= limits.keep_states;
    if (checkpoint.state && !keeps_state) remove_quietly(*checkpoint.state);
    const bool among_best =
        std::any_of(best.begin(), last, [&](const auto& it) { return it.step == checkpoint.step; });
    if (age > limits.keep && !among_best && !keeps_state && checkpoint.step != linked)
      remove_quietly(checkpoint.weights);
  }
}

void rename(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (error) base::fail(to, ": ", error.message());
  base::sync_directory_of(to);
}

/// Creates a copy if the file system has no links.
void point_best_at(const std::string& directory, std::uint64_t step) {
  const auto best = best_path(directory);
  const auto weights = store::weights_path(directory, step);
  if (base::replace_symbolic_link(std::filesystem::path(weights).filename(), best))
    return base::sync_directory_of(best);
  const base::MappedFile file(weights);
  base::OutputFile copy(best);
  copy.write({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  copy.commit();
}

/// Throws Error naming the file that cannot be read or belongs to another checkpoint.
void require_undamaged(const store::Checkpoint& checkpoint) {
  const store::ArrayFile weights(checkpoint.weights);
  model::read_config(weights);
  StateFile(*checkpoint.state).require_whole(weights);
}

void require_same_model(const store::ArrayFile& weights, const Identity& identity) {
  require_same(model::to_settings(model::read_config(weights)), model::to_settings(identity.config),
               weights.path());
  if (weights.metadata_at(store::keys::kVocabulary) != identity.vocabulary ||
      weights.metadata(store::keys::kSourceVocabulary).value_or("") != identity.source_vocabulary)
    base::fail(weights.path(), ": was trained with another vocabulary");
}

/// Training would start again from step 0 and replace the state.
[[noreturn]] void refuse_orphan(const store::State& orphan, const std::string& newest_weights) {
  const auto missing = base::concat(orphan.path, ": cannot resume without ", orphan.weights,
                                    "; restore that file, or use another directory");
  if (newest_weights.empty()) base::fail(missing);
  base::fail(missing, ", with ", newest_weights, " for ", kInitialWeights);
}

}  // namespace

void save_checkpoint(const std::string& directory, const SavedRun& run, const RunLimits& limits) {
  const auto& [parameters, state, identity] = run;
  const auto step = state.counts.step;
  const model::WeightsView weights{parameters,
                                   parameters.keeps_average() ? Buffer::kAverage : Buffer::kValues};
  model::OtherContents others;
  auto& metadata = others.metadata;
  metadata = {{std::string(store::keys::kVocabulary), identity.vocabulary},
              {std::string(store::keys::kStep), base::concat(step)},
              {std::string(store::keys::kRecipe), to_settings(identity.recipe).to_json()}};
  if (!identity.source_vocabulary.empty())
    metadata.emplace(store::keys::kSourceVocabulary, identity.source_vocabulary);
  if (!identity.search.empty()) metadata.emplace(store::keys::kSearch, identity.search);
  if (const auto scales = model::activation_scales_of(parameters); !scales.entries().empty())
    metadata.emplace(store::keys::kActivationScales, scales.to_json());
  if (identity.shortlist) {
    metadata.emplace(store::keys::kShortlist, store::settings_of(*identity.shortlist));
    others.arrays = store::arrays_of(*identity.shortlist);
  }
  const auto file =
      model::write_weights(store::weights_path(directory, step), weights, identity.config, others);
  // The state is complete on disk before the weights appear.
  const auto pending = store::pending_path(directory, step);
  save_state(pending, run, file->digest());
  file->commit();
  rename(pending, store::state_path(directory, step));
  link_best(directory, state.best, limits.keep_best);
  prune(directory, state, limits);
}

void replace_state(const std::string& directory, const SavedRun& run) {
  const auto step = run.state.counts.step;
  const store::ArrayFile weights(store::weights_path(directory, step));
  save_state(store::state_path(directory, step), run, store::stored_digest(weights).value_or(""));
}

void settle_pending_states(const std::string& directory, const base::Report& report) {
  for (const auto& pending : store::pending_states(directory)) {
    if (std::filesystem::exists(pending.weights)) {
      rename(pending.path, store::state_path(directory, pending.step));
    } else {
      report.note(base::concat(pending.path, ": removed, its weights were never written"));
      remove_quietly(pending.path);
    }
  }
}

void link_best(const std::string& directory, const BestValidations& best, std::uint32_t keep_best) {
  if (keep_best == 0) return;
  for (const auto& [step, value] : best.ranked()) {
    if (step == 0) return;
    // While none of the best was kept, their checkpoints were not saved.
    if (std::filesystem::exists(store::weights_path(directory, step)))
      return point_best_at(directory, step);
  }
}

void complete_save(const std::string& directory, const RunState& state, const RunLimits& limits) {
  // States of earlier versions do not contain the validation at the end of the run, which may have
  // linked the newest checkpoint.
  const auto path = best_path(directory);
  const auto linked = store::checkpoint_at(path).step;
  const auto best = state.best.ranked();
  const bool is_right =
      std::filesystem::exists(path) &&
      (linked == state.counts.step || (!best.empty() && linked == best.front().step));
  if (!is_right) link_best(directory, state.best, limits.keep_best);
  prune(directory, state, limits);
}

std::optional<store::Checkpoint> find_checkpoint(const std::string& directory,
                                                 const base::Report& report) {
  if (!std::filesystem::exists(directory)) return std::nullopt;
  auto checkpoints = store::list_checkpoints(directory);
  const auto orphans = store::states_without_weights(directory);
  if (checkpoints.empty() && orphans.empty()) return std::nullopt;
  const auto newest = checkpoints.empty() ? "" : checkpoints.back().weights;
  std::erase_if(checkpoints, [](const auto& checkpoint) { return !checkpoint.state; });
  for (const auto& orphan : orphans) {
    if (checkpoints.empty()) refuse_orphan(orphans.back(), newest);
    if (orphan.step < checkpoints.back().step) continue;
    report.warning(base::concat(orphan.path, ": ", orphan.weights,
                                " is missing; resuming from the state before it"));
  }
  for (; !checkpoints.empty(); checkpoints.pop_back()) {
    try {
      require_undamaged(checkpoints.back());
      return checkpoints.back();
    } catch (const base::Error& error) {
      if (checkpoints.size() == 1) throw;
      report.warning(base::concat(error.what(), "; resuming from the state before it"));
    }
  }
  base::fail(directory,
             ": has checkpoints but no training state to resume from; use another directory, with ",
             newest, " for ", kInitialWeights);
}

RunState read_state(const store::Checkpoint& checkpoint) {
  return StateFile(*checkpoint.state).run_state();
}

std::string recipe_text(const store::Checkpoint& checkpoint) {
  return StateFile(*checkpoint.state).recipe().to_json();
}

void require_same_run(const store::Checkpoint& checkpoint, const Identity& identity) {
  require_same_model(store::ArrayFile(checkpoint.weights), identity);
  StateFile(*checkpoint.state).require_same_recipe(identity.recipe);
}

void require_same_corpus(const store::Checkpoint& checkpoint, const Identity& identity) {
  StateFile(*checkpoint.state).require_same_corpus(identity);
}

void load_checkpoint(const store::Checkpoint& checkpoint, Trainer& trainer) {
  const StateFile state(*checkpoint.state);
  state.load_values(store::ArrayFile(checkpoint.weights), trainer.parameters());
  state.load_moments(trainer.parameters());
}

RunState resume_from(const std::string& path, const Resets& resets, const Identity& identity,
                     Trainer& trainer) {
  const auto checkpoint = store::resumable_checkpoint(path);
  if (!checkpoint.state) {
    base::fail(path, ": has no training state next to it; its weights can be used for ",
               kInitialWeights);
  }
  const store::ArrayFile weights(checkpoint.weights);
  const StateFile file(*checkpoint.state);
  require_same_model(weights, identity);
  file.require_whole(weights);
  if (!resets.data) file.require_same_batches(identity);
  file.load_values(weights, trainer.parameters());
  RunState state = file.run_state();
  if (resets.optimizer) {
    state.counts.learned = 0;
  } else {
    file.load_moments(trainer.parameters());
  }
  if (resets.schedule) {
    state.counts.step = state.counts.skipped = 0;
    state.seconds = 0;
    state.window = {};
  }
  if (file.recipe().find("precision") != to_settings(identity.recipe).find("precision")) {
    state.counts.scale = first_scale(identity.recipe.precision);
    state.counts.skipped_in_row = 0;
  }
  if (resets.data) state.position = {};
  if (resets.best) state.best = {};
  for (auto& best : state.best.list) best.step = 0;  // its checkpoint is in another directory
  state.best.at_end = {};
  state.owes_validation = false;
  state.log_begin.reset();
  state.log_first_line.clear();
  return state;
}

}  // namespace awend::train
