#include "train_settings.hpp"

#include <algorithm>

namespace awend::tools {
namespace {

// d-k and d-v follow from the other options unless they are given.
void apply_model(const base::Options& options, model::Config& config) {
  apply(options, model::config_fields(), config);
  if (options.has("layers")) {
    const auto layers =
        static_cast<std::uint32_t>(options.integer("layers", {.min = 1, .max = 1'000'000'000}));
    if (!options.has("encoder-layers")) config.encoder_layers = layers;
    if (!options.has("decoder-layers")) config.decoder_layers = layers;
  }
  if (!options.has("d-model") && !options.has("heads")) return;
  const bool needs_size = !options.has("d-k") || !options.has("d-v");
  if (needs_size && config.d_model % config.heads != 0) {
    throw base::UsageError(base::concat("--heads ", config.heads, " does not divide --d-model ",
                                        config.d_model, "; give --d-k and --d-v"));
  }
  if (!options.has("d-k")) config.d_k = config.d_model / config.heads;
  if (!options.has("d-v")) config.d_v = config.d_model / config.heads;
}

// The last update of the schedule is a setting that a resumed run must keep.
void complete_schedule(const base::Options& options, train::Preset& preset) {
  auto& recipe = preset.recipe;
  const bool ends = recipe.curve == train::Curve::kLinear || recipe.curve == train::Curve::kCosine;
  if (!ends && options.has("schedule-steps"))
    throw base::UsageError("--schedule-steps needs --schedule linear or cosine");
  if (!ends) return;
  if (!options.has("schedule-steps")) recipe.schedule_steps = preset.limits.max_steps;
  if (recipe.schedule_steps <= recipe.warmup) {
    throw base::UsageError(base::concat("the schedule of ", recipe.schedule_steps,
                                        " updates must be longer than --warmup ", recipe.warmup));
  }
}

train::Preset named_preset(const base::Options& options) {
  try {
    return train::preset(options.text("preset"));
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option '--preset': ", error.what()));
  }
}

}  // namespace

void add_field_options(OptionTable& table) {
  const auto model = model::config_fields();
  const auto group = std::ranges::find(model, "d-model", [](const auto& setting) {
                       return setting.about.name;
                     })->about.group;
  table.add(group, {.name = "preset",
                    .letter = 'p',
                    .metavar = "NAME",
                    .default_value = "base",
                    .help = "defaults of the settings below: base, big, small or tiny",
                    .choices = "base big small tiny"});
  table.add(model);
  table.add(
      group,
      {.name = "layers", .metavar = "N", .help = "number of encoder layers and of decoder layers"},
      "encoder-layers");
  table.add(train::recipe_fields());
  table.add(train::limit_fields());
}

train::Preset preset_of(const base::Options& options) {
  auto preset = named_preset(options);
  apply_model(options, preset.model);
  apply(options, train::recipe_fields(), preset.recipe);
  apply(options, train::limit_fields(), preset.limits);
  complete_schedule(options, preset);
  return preset;
}

std::string dumped(const train::Preset& preset) {
  return config_lines(model::config_fields(), preset.model) +
         config_lines(train::recipe_fields(), preset.recipe) +
         config_lines(train::limit_fields(), preset.limits);
}

}  // namespace awend::tools
