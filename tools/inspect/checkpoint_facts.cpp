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
                        .average = file.metadata("awend.average"),
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
  if (const auto search = file.metadata(store::keys::kSearch))
    facts.search = store::Settings::from_json(*search, path);
  if (const auto shortlist = file.metadata(store::keys::kShortlist))
    facts.shortlist = store::Settings::from_json(*shortlist, path);
  if (const auto scales = file.metadata(store::keys::kActivationScales))
    facts.scales = store::Settings::from_json(*scales, path);
  return facts;
}

}  // namespace awend::tools
