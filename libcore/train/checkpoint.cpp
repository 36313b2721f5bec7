#include "train/checkpoint.hpp"

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

struct Moments {
  std::string_view prefix;
  Buffer buffer;
};
constexpr std::array moments = {Moments{"adam.moment1.", Buffer::kMoment1},
                                Moments{"adam.moment2.", Buffer::kMoment2}};

std::vector<store::Array> layout_of_moments(const nn::Parameters& parameters) {
  std::vector<store::Array> layout;
  for (const auto& moment : moments) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& parameter = parameters.parameter(i);
      layout.push_back({.name = base::concat(moment.prefix, parameters.name(i)),
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
  store::ArrayWriter writer(path, layout_of_moments(parameters), metadata);
  for (const auto& moment : moments) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto values = parameters.read(parameters.parameter(i), moment.buffer);
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

void prune(const std::string& folder, std::uint64_t step, std::uint32_t keep) {
  const auto checkpoints = store::list_checkpoints(folder);
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    const auto& checkpoint = checkpoints[i];
    if (checkpoint.step >= step) continue;
    if (checkpoint.state) remove_quietly(*checkpoint.state);
    if (checkpoints.size() - i > keep) remove_quietly(checkpoint.weights);
  }
}

store::Settings settings_at(const store::ArrayFile& file, std::string_view key) {
  return store::Settings::from_json(file.metadata_at(key), file.path());
}

}  // namespace

void save_checkpoint(const std::string& folder, Trainer& trainer, const RunState& state,
                     const Identity& identity, std::uint32_t keep) {
  const auto step = state.progress.step;
  save_state(store::state_path(folder, step), trainer.parameters(), state, identity);
  model::save(store::weights_path(folder, step), trainer.parameters(), identity.config,
              {{std::string(store::keys::vocabulary), identity.vocabulary},
               {std::string(store::keys::step), base::concat(step)}});
  prune(folder, step, keep);
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
  const store::ArrayFile weights(checkpoint.weights);
  require_same(model::to_settings(model::read_config(weights)), model::to_settings(identity.config),
               weights.path());
  if (weights.metadata_at(store::keys::vocabulary) != identity.vocabulary) {
    base::fail(weights.path(), ": was trained with another vocabulary");
  }
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

void load_checkpoint(const store::Checkpoint& checkpoint, Trainer& trainer) {
  model::load(trainer.parameters(), store::ArrayFile(checkpoint.weights));
  const store::ArrayFile state(*checkpoint.state);
  for (const auto& moment : moments) {
    model::load(trainer.parameters(), state, moment.buffer, std::string(moment.prefix));
  }
}

void load_weights(const std::string& path, const Identity& identity, Trainer& trainer) {
  const store::ArrayFile file(path);
  const auto vocabulary = file.metadata(store::keys::vocabulary);
  if (vocabulary && *vocabulary != identity.vocabulary) {
    base::fail(path, ": has another vocabulary than --vocabulary");
  }
  model::load(trainer.parameters(), file);
}

}  // namespace awend::train
