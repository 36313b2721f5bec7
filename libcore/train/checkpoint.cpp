#include "train/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "store/array_writer.hpp"
#include "train/state_text.hpp"

namespace awend::train {
namespace {

using Buffer = nn::Parameters::Buffer;
constexpr std::string_view state_key = "awend.state";
constexpr std::string_view recipe_key = "awend.recipe";
constexpr std::string_view corpus_key = "awend.corpus";
// Seconds are apart from the rest, which is the same whenever the same run is repeated.
constexpr std::string_view seconds_key = "awend.seconds";

/// Buffers of the state file; weights only where the checkpoint has their average.
struct Stored {
  std::string_view prefix;
  Buffer buffer;
};
constexpr Stored stored_weights = {"weights.", Buffer::kValues};
constexpr std::array stored_moments = {Stored{"adam.moment1.", Buffer::kMoment1},
                                       Stored{"adam.moment2.", Buffer::kMoment2}};

std::vector<Stored> stored_buffers(const nn::Parameters& parameters) {
  std::vector<Stored> buffers(stored_moments.begin(), stored_moments.end());
  if (parameters.keeps_average()) buffers.push_back(stored_weights);
  return buffers;
}

std::vector<store::Array> layout_of_state(const nn::Parameters& parameters) {
  std::vector<store::Array> layout;
  for (const auto& stored : stored_buffers(parameters)) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& parameter = parameters.parameter(i);
      layout.push_back({.name = base::concat(stored.prefix, parameters.name(i)),
                        .type = store::Type::F32,
                        .shape = {parameter.rows, parameter.columns},
                        .bytes = {}});
    }
  }
  return layout;
}

void save_state(const std::string& path, const nn::Parameters& parameters, const RunState& state,
                const Identity& identity) {
  const store::Metadata metadata = {
      {std::string(store::keys::format), "1"},
      {std::string(state_key), to_settings(state).to_json()},
      {std::string(seconds_key), seconds_to_settings(state).to_json()},
      {std::string(recipe_key), to_settings(identity.recipe).to_json()},
      {std::string(corpus_key), base::concat(identity.corpus_fingerprint)},
  };
  store::ArrayWriter writer(path, layout_of_state(parameters), metadata);
  for (const auto& stored : stored_buffers(parameters)) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto values = parameters.read(parameters.parameter(i), stored.buffer);
      writer.write(std::as_bytes(std::span(values)));
    }
  }
  writer.commit();
}

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

store::Settings settings_at(const store::ArrayFile& file, std::string_view key) {
  return store::Settings::from_json(file.metadata_at(key), file.path());
}

void require_same_model(const store::ArrayFile& weights, const Identity& identity) {
  require_same(model::to_settings(model::read_config(weights)), model::to_settings(identity.config),
               weights.path());
  if (weights.metadata_at(store::keys::vocabulary) != identity.vocabulary)
    base::fail(weights.path(), ": was trained with another vocabulary");
}

}  // namespace

void save_checkpoint(const std::string& folder, Trainer& trainer, const RunState& state,
                     const Identity& identity, const Course& course) {
  const auto step = state.progress.step;
  const auto& parameters = trainer.parameters();
  save_state(store::state_path(folder, step), parameters, state, identity);
  model::save(store::weights_path(folder, step), parameters, identity.config,
              {{std::string(store::keys::vocabulary), identity.vocabulary},
               {std::string(store::keys::step), base::concat(step)},
               {std::string(recipe_key), to_settings(identity.recipe).to_json()}},
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
  const store::ArrayFile file(*checkpoint.state);
  try {
    return state_from_settings(settings_at(file, state_key), settings_at(file, seconds_key));
  } catch (const base::Error& error) {
    base::fail(file.path(), ": no training state: ", error.what());
  }
}

void require_same_run(const store::Checkpoint& checkpoint, const Identity& identity) {
  require_same_model(store::ArrayFile(checkpoint.weights), identity);
  const store::ArrayFile state(*checkpoint.state);
  require_same(settings_at(state, recipe_key), to_settings(identity.recipe), state.path());
}

void require_same_corpus(const store::Checkpoint& checkpoint, const Identity& identity) {
  const store::ArrayFile state(*checkpoint.state);
  if (state.metadata_at(corpus_key) == base::concat(identity.corpus_fingerprint)) return;
  base::fail(
      state.path(),
      ": was trained on another corpus: --source, --target, --weights or --max-length changed");
}

namespace {

bool has_weights(const store::ArrayFile& state) {
  return std::ranges::any_of(state.arrays(), [](const auto& array) {
    return array.name.starts_with(stored_weights.prefix);
  });
}

void load_moments(const store::ArrayFile& state, nn::Parameters& parameters) {
  for (const auto& stored : stored_moments)
    model::load(parameters, state, stored.buffer, std::string(stored.prefix));
}

/// Weights as they were in training, and their average.
void load_values(const store::ArrayFile& weights, const store::ArrayFile& state,
                 nn::Parameters& parameters) {
  const bool averaged = has_weights(state);
  if (averaged) {
    model::load(parameters, state, stored_weights.buffer, std::string(stored_weights.prefix));
  } else {
    model::load(parameters, weights);
  }
  if (!parameters.keeps_average()) return;
  parameters.start_average();
  if (averaged) model::load(parameters, weights, Buffer::kAverage);
}

/// The place in the corpus is worth something only where the batches are the same.
void require_same_batches(const store::ArrayFile& state, const Identity& identity) {
  const auto then = settings_at(state, recipe_key), now = to_settings(identity.recipe);
  bool same = state.metadata_at(corpus_key) == base::concat(identity.corpus_fingerprint);
  for (const auto name : {"batch-tokens", "seed"}) same = same && then.find(name) == now.find(name);
  if (!same) {
    base::fail(state.path(),
               ": its batches were others, of another corpus, --batch-tokens or --seed;"
               " --reset-data begins the new ones");
  }
}

}  // namespace

void load_checkpoint(const store::Checkpoint& checkpoint, Trainer& trainer) {
  const store::ArrayFile weights(checkpoint.weights), state(*checkpoint.state);
  load_values(weights, state, trainer.parameters());
  load_moments(state, trainer.parameters());
}

RunState resume_from(const std::string& path, const Resets& resets, const Identity& identity,
                     Trainer& trainer) {
  const auto checkpoint = store::checkpoint_at(path);
  if (!checkpoint.state) {
    base::fail(path, ": has no training state beside it; --init-from takes the weights alone");
  }
  const store::ArrayFile weights(path), file(*checkpoint.state);
  require_same_model(weights, identity);
  if (!resets.data) require_same_batches(file, identity);
  load_values(weights, file, trainer.parameters());
  RunState state = read_state(checkpoint);
  if (resets.optimizer) {
    state.progress.learned = 0;
  } else {
    load_moments(file, trainer.parameters());
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
