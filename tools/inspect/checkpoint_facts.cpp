// Reading checkpoints; see checkpoint_view.hpp.
#include "inspect/checkpoint_view.hpp"
#include "inspect/state_view.hpp"
#include "model/checkpoint.hpp"
#include "store/checkpoints.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/weights.hpp"

namespace awend::tools {
namespace {

std::optional<TrainingState> state_beside(const std::string& path) {
  const auto checkpoint = store::checkpoint_at(path);
  if (!checkpoint.state) return std::nullopt;
  return training_state_of(store::ArrayFile(*checkpoint.state));
}

}  // namespace

CheckpointFacts facts_of_checkpoint(const std::string& path, cli::Progress* progress) {
  const store::ArrayFile file(path);
  CheckpointFacts facts{.path = path,
                        .bytes = 0,
                        .step = file.metadata(store::keys::kStep),
                        .average = file.metadata(store::keys::kAverage),
                        .config = model::read_config(file),
                        .arrays = file.arrays(),
                        .survey = survey(file, progress),
                        .vocabulary = {},
                        .source_vocabulary = {},
                        .state = state_beside(path),
                        .search = {},
                        .shortlist = {},
                        .scales = {},
                        .recipe = recipe_of(file)};
  if (!facts.recipe && facts.state) facts.recipe = recipe_of(store::ArrayFile(facts.state->path));
  facts.bytes = file_bytes(path);
  for (auto& array : facts.arrays) array.bytes = {};
  if (const auto content = file.metadata(store::keys::kVocabulary))
    facts.vocabulary = text::Vocabulary::parse(*content, path);
  if (const auto content = file.metadata(store::keys::kSourceVocabulary))
    facts.source_vocabulary = text::Vocabulary::parse(*content, path);
  if (file.metadata(store::keys::kSearch))
    facts.search = store::settings_at(file, store::keys::kSearch);
  if (file.metadata(store::keys::kShortlist))
    facts.shortlist = store::settings_at(file, store::keys::kShortlist);
  if (file.metadata(store::keys::kActivationScales))
    facts.scales = store::settings_at(file, store::keys::kActivationScales);
  return facts;
}

}  // namespace awend::tools
