#include "train/checkpoint.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "train/state_file.hpp"
#include "train/state_text.hpp"

namespace awend::train {
namespace {

using Buffer = nn::Parameters::Buffer;

/// A file that cannot be removed is no reason to stop: it costs only room.
void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

void prune(const std::string& folder, const RunState& state, const Course& course) {
  const auto& best = state.best.list;
  const auto last = best.begin() + std::min<std::ptrdiff_t>(std::ssize(best), course.keep_best);
  const auto checkpoints = store::list_checkpoints(folder);
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const auto& checkpoint = checkpoints[i];
    if (checkpoint.step >= state.progress.step) continue;
    if (checkpoint.state) remove_quietly(*checkpoint.state);
    const bool newest = checkpoints.size() - i <= course.keep;
    const bool among_best =
        std::any_of(best.begin(), last, [&](const auto& it) { return it.step == checkpoint.step; });
    if (!newest && !among_best) remove_quietly(checkpoint.weights);
  }
}

/// Where links cannot be, there is none.
void link_best(const std::string& folder, const RunState& state, const Course& course) {
  if (course.keep_best == 0 || state.best.list.empty() || state.best.list[0].step == 0) return;
  namespace fs = std::filesystem;
  const fs::path link = fs::path(folder) / "best.safetensors", fresh = link.string() + ".tmp";
  std::error_code error;
  fs::remove(fresh, error);
  fs::create_symlink(fs::path(store::weights_path(folder, state.best.list[0].step)).filename(),
                     fresh, error);
  if (!error) fs::rename(fresh, link, error);
}

void require_same_model(const store::ArrayFile& weights, const Identity& identity) {
  require_same(model::to_settings(model::read_config(weights)), model::to_settings(identity.config),
               weights.path());
  if (weights.metadata_at(store::keys::kVocabulary) != identity.vocabulary)
    base::fail(weights.path(), ": was trained with another vocabulary");
}

}  // namespace

void save_checkpoint(const std::string& folder, Trainer& trainer, const RunState& state,
                     const Identity& identity, const Course& course) {
  const auto step = state.progress.step;
  const auto& parameters = trainer.parameters();
  save_state(store::state_path(folder, step), parameters, state, identity);
  model::save(store::weights_path(folder, step), parameters, identity.config,
              {{std::string(store::keys::kVocabulary), identity.vocabulary},
               {std::string(store::keys::kStep), base::concat(step)},
               {std::string(kRecipeKey), to_settings(identity.recipe).to_json()}},
              parameters.keeps_average() ? Buffer::kAverage : Buffer::kValues);
  link_best(folder, state, course);
  prune(folder, state, course);
}

std::optional<store::Checkpoint> find_checkpoint(const std::string& folder) {
  if (!std::filesystem::exists(folder)) return std::nullopt;
  const auto checkpoints = store::list_checkpoints(folder);
  if (checkpoints.empty()) return std::nullopt;
  const auto latest = store::latest_resumable(folder);
  if (!latest) {
    base::fail(
        folder,
        ": has checkpoints but no training state to go on from; take another folder (--init-from ",
        checkpoints.back().weights, " starts from its weights)");
  }
  return latest;
}

RunState read_state(const store::Checkpoint& checkpoint) {
  return StateFile(*checkpoint.state).run_state();
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
  const auto checkpoint = store::checkpoint_at(path);
  if (!checkpoint.state) {
    base::fail(path, ": has no training state beside it; --init-from takes the weights alone");
  }
  const store::ArrayFile weights(path);
  const StateFile file(*checkpoint.state);
  require_same_model(weights, identity);
  if (!resets.data) file.require_same_batches(identity);
  file.load_values(weights, trainer.parameters());
  RunState state = file.run_state();
  if (resets.optimizer) {
    state.progress.learned = 0;
  } else {
    file.load_moments(trainer.parameters());
  }
  if (resets.schedule) {
    state.progress.step = state.progress.skipped = 0;
    state.seconds = 0;
    state.window = {};
  }
  if (resets.data) state.position = {};
  if (resets.best) state.best = {};
  for (auto& best : state.best.list) best.step = 0;  // its checkpoint is in another folder
  return state;
}

}  // namespace awend::train
