#include "train/state_file.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "store/array_writer.hpp"
#include "store/digest.hpp"
#include "train/setting_names.hpp"
#include "train/state_text.hpp"

namespace awend::train {
namespace {

using Buffer = nn::Parameters::Buffer;
constexpr std::string_view kCorpusKey = "awend.corpus";
// The digest of the weights that the state belongs to.
constexpr std::string_view kWeightsKey = "awend.weights";

/// Buffers of the state file; weights only if the checkpoint has their average.
struct Stored {
  std::string_view prefix;
  Buffer buffer;
};
constexpr Stored kStoredWeights = {kStateWeights, Buffer::kValues};
constexpr std::array kStoredMoments = {Stored{kFirstMoment, Buffer::kMoment1},
                                       Stored{kSecondMoment, Buffer::kMoment2}};

std::vector<Stored> stored_buffers(const nn::Parameters& parameters) {
  std::vector<Stored> buffers(kStoredMoments.begin(), kStoredMoments.end());
  if (parameters.keeps_average()) buffers.push_back(kStoredWeights);
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

bool has_weights(const store::ArrayFile& state) {
  return std::ranges::any_of(state.arrays(), [](const auto& array) {
    return array.name.starts_with(kStoredWeights.prefix);
  });
}

}  // namespace

void save_state(const std::string& path, const SavedRun& run, const std::string& weights_digest) {
  const auto& [parameters, state, identity] = run;
  const store::Metadata metadata = {
      {std::string(store::keys::kFormat), "1"},
      {std::string(store::keys::kState), to_settings(state).to_json()},
      // All other metadata is the same if a run is repeated.
      {std::string(store::keys::kSeconds), history_to_settings(state).to_json()},
      {std::string(store::keys::kRecipe), to_settings(identity.recipe).to_json()},
      {std::string(kCorpusKey), base::concat(identity.corpus_fingerprint)},
      {std::string(kWeightsKey), weights_digest},
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

RunState StateFile::run_state() const {
  return run_state_of(file_);
}

void StateFile::require_whole(const store::ArrayFile& weights) const {
  run_state();
  file_.verify();
  weights.verify();
  const auto own = file_.metadata(kWeightsKey), theirs = store::stored_digest(weights);
  if (own && theirs && own != theirs)
    base::fail(file_.path(), ": belongs to other weights than ", weights.path());
}

store::Settings StateFile::recipe() const {
  return store::settings_at(file_, store::keys::kRecipe);
}

void StateFile::require_same_recipe(const Recipe& recipe) const {
  require_same(this->recipe(), to_settings(recipe), file_.path());
}

void StateFile::require_same_corpus(const Identity& identity) const {
  if (file_.metadata_at(kCorpusKey) == base::concat(identity.corpus_fingerprint)) return;
  base::fail(file_.path(), ": was trained on another corpus: ", kSources, ", ", kTargets, ", ",
             kGuidedAlignment, ", ", kCorpusWeights, " or ", kMaxLength, " changed");
}

void StateFile::require_same_batches(const Identity& identity) const {
  const auto then = recipe(), now = to_settings(identity.recipe);
  bool same = file_.metadata_at(kCorpusKey) == base::concat(identity.corpus_fingerprint);
  for (const auto name : {"batch-tokens", "batch-sentences", "seed"})
    same = same && then.find(name) == now.find(name);
  if (!same) {
    base::fail(file_.path(), ": has batches of another corpus, ", kTokensInBatch, ", ",
               kBatchSentences, " or ", kSeed, "; start new ones by ", kResetData);
  }
}

void StateFile::load_moments(nn::Parameters& parameters) const {
  for (const auto& stored : kStoredMoments)
    model::load(parameters, file_, stored.buffer, std::string(stored.prefix));
}

void StateFile::load_values(const store::ArrayFile& weights, nn::Parameters& parameters) const {
  const bool averaged = has_weights(file_);
  if (averaged) {
    model::load(parameters, file_, kStoredWeights.buffer, std::string(kStoredWeights.prefix));
  } else {
    model::load(parameters, weights);
  }
  if (!parameters.keeps_average()) return;
  parameters.start_average();
  if (averaged) model::load(parameters, weights, Buffer::kAverage);
}

}  // namespace awend::train
