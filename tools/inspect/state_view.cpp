#include "inspect/state_view.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/format.hpp"
#include "inspect/layout.hpp"
#include "store/checkpoints.hpp"
#include "train/state_text.hpp"

namespace awend::tools {
namespace {

std::string best_text(const train::BestValidations& best) {
  std::string text;
  for (const auto& validated : best.list) {
    text += base::concat(text.empty() ? "" : "; ", base::significant(validated.value, 6));
    if (validated.step > 0) text += base::concat(" after ", grouped(validated.step), " updates");
  }
  const bool is_loss = best.metric == train::ValidationMetric::kLoss;
  return base::concat(train::name_of(best.metric), is_loss ? " without label smoothing " : " ",
                      text);
}

std::uint64_t numbers_of(const std::vector<store::Array>& arrays, std::string_view prefix) {
  std::uint64_t numbers = 0;
  for (const auto& array : arrays) {
    if (array.name.starts_with(prefix)) numbers += store::count_of(array.shape);
  }
  return numbers;
}

std::string contents_text(const StateFacts& facts) {
  return base::concat(
      "the progress of the run, and for each of ",
      grouped(numbers_of(facts.arrays, train::kFirstMoment)), " parameters both moments of Adam",
      facts.has_weights ? " and its weight, of which the model file has the average" : "");
}

}  // namespace

TrainingState training_state_of(const store::ArrayFile& file) {
  return {.path = file.path(), .run = train::run_state_of(file)};
}

std::optional<store::Settings> recipe_of(const store::ArrayFile& file) {
  if (!file.metadata(store::keys::kRecipe)) return std::nullopt;
  return store::settings_at(file, store::keys::kRecipe);
}

std::string training_text(const TrainingState& state) {
  const auto& run = state.run;
  auto out = fact("time", base::concat(duration(run.seconds), ", without pauses"));
  out += fact("updates", base::concat(grouped(run.counts.step), ", of which ",
                                      grouped(run.counts.skipped), " changed nothing"));
  out += fact("place", base::concat("epoch ", run.position.epoch, ", batch ", run.position.index,
                                    " (counted from 0)"));
  if (run.best.list.empty()) {
    out += fact("validations", "none yet");
  } else {
    out += fact("best", best_text(run.best));
    out += fact("since the best", base::concat(run.best.since_best, " validations"));
  }
  if (run.counts.scale.value != 1) {
    out += fact("loss scale", base::concat(base::significant(run.counts.scale.value, 6), " for ",
                                           grouped(run.counts.scale.updates), " updates"));
  }
  return out;
}

base::JsonObject array_json(const store::Array& array) {
  base::JsonObject object;
  object.text("name", array.name).text("type", name_of(array.type));
  return object.value("shape", base::json_values(array.shape));
}

std::string training_json(const TrainingState& state) {
  base::JsonObject object;
  object.text("file", state.path).number("seconds", state.run.seconds);
  return object.value("progress", to_settings(state.run).to_json()).str();
}

std::optional<StateFacts> facts_of_state(const std::string& path) {
  const store::ArrayFile file(path);
  if (!file.metadata(store::keys::kState)) return std::nullopt;
  StateFacts facts{.state = training_state_of(file),
                   .bytes = file_bytes(path),
                   .model = {},
                   .arrays = file.arrays(),
                   .recipe = recipe_of(file)};
  const auto directory = std::filesystem::path(path).parent_path().string();
  facts.model = store::weights_path(directory, facts.state.run.counts.step);
  std::error_code error;
  facts.has_model = std::filesystem::exists(facts.model, error);
  facts.has_weights = std::ranges::any_of(
      facts.arrays, [](const auto& array) { return array.name.starts_with(train::kStateWeights); });
  for (auto& array : facts.arrays) array.bytes = {};
  return facts;
}

std::string text_of(const StateFacts& facts, Detail detail) {
  std::string out = facts.state.path + "\n";
  out += fact("kind", base::concat("training state after ", grouped(facts.state.run.counts.step),
                                   " updates, not a model: train resumes from it"));
  out += fact("model file", facts.model + (facts.has_model ? "" : " (does not exist)"));
  out += fact("file",
              base::concat(amount_of_bytes(facts.bytes), ", ", grouped(facts.bytes), " bytes"));
  out += fact("holds", contents_text(facts));
  if (detail == Detail::kArrays) {
    Columns columns;
    for (const auto& array : facts.arrays)
      columns.add({array.name, store::describe(array.type, array.shape)});
    out += heading("Arrays") + columns.text();
  }
  out += heading("Training") + training_text(facts.state);
  if (facts.recipe) out += heading("Recipe") + pairs(facts.recipe->entries());
  return out;
}

std::string json_of(const StateFacts& facts) {
  base::JsonObject object;
  object.text("file", facts.state.path).count("bytes", facts.bytes);
  object.text("kind", "training state").count("step", facts.state.run.counts.step);
  const auto arrays =
      base::json_list(facts.arrays, [](const auto& array) { return array_json(array).str(); });
  object.text("model", facts.model).value("arrays", arrays);
  object.value("training", training_json(facts.state));
  if (facts.recipe) object.value("recipe", facts.recipe->to_json());
  return object.str() + "\n";
}

std::string heading(std::string_view word) {
  return base::concat("\n", word, "\n");
}

std::uint64_t file_bytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) base::fail(path, ": ", error.message());
  return bytes;
}

}  // namespace awend::tools
