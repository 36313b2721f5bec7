// Reading what checkpoint_view.hpp tells of.
#include <filesystem>

#include "base/error.hpp"
#include "inspect/checkpoint_view.hpp"
#include "model/checkpoint.hpp"
#include "train/state_text.hpp"

namespace awend::tools {
namespace {

std::optional<TrainingState> state_beside(const std::string& path) {
  const auto checkpoint = store::checkpoint_at(path);
  if (!checkpoint.state) return std::nullopt;
  const store::ArrayFile file(*checkpoint.state);
  const auto settings = [&](std::string_view key) {
    return store::Settings::from_json(file.metadata_at(key), file.path());
  };
  // Not train::read_state(), which would link all that training needs.
  try {
    return TrainingState{
        .path = file.path(),
        .run = train::state_from_settings(settings("awend.state"), settings("awend.seconds"))};
  } catch (const base::Error& error) {
    base::fail(file.path(), ": no training state: ", error.what());
  }
}

std::optional<store::Settings> recipe_of(const store::ArrayFile& file) {
  const auto text = file.metadata("awend.recipe");
  if (!text) return std::nullopt;
  return store::Settings::from_json(*text, file.path());
}

std::uint64_t file_bytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) base::fail(path, ": ", error.message());
  return bytes;
}

}  // namespace

CheckpointFacts facts_of_checkpoint(const std::string& path, base::Progress* progress) {
  const store::ArrayFile file(path);
  CheckpointFacts facts{.path = path,
                        .bytes = 0,
                        .step = file.metadata(store::keys::kStep),
                        .average = file.metadata("awend.average"),
                        .config = model::read_config(file),
                        .arrays = file.arrays(),
                        .survey = survey(file, progress),
                        .vocabulary = {},
                        .state = state_beside(path),
                        .recipe = recipe_of(file)};
  if (!facts.recipe && facts.state) facts.recipe = recipe_of(store::ArrayFile(facts.state->path));
  facts.bytes = file_bytes(path);
  for (auto& array : facts.arrays) array.bytes = {};
  if (const auto content = file.metadata(store::keys::kVocabulary))
    facts.vocabulary = text::Vocabulary::parse(*content, path);
  return facts;
}

}  // namespace awend::tools
