#include "train_settings.hpp"

#include <limits>

#include "precision_option.hpp"

namespace awend::tools {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// Sets `value` if the option was given, and leaves the preset's otherwise.
template <class Number>
void take(const base::Options& options, std::string_view name, Number& value,
          std::int64_t least = 1) {
  if (!options.text(name).empty())
    value = static_cast<Number>(options.integer(name, {.min = least, .max = kMost}));
}

void take(const base::Options& options, std::string_view name, double& value,
          base::RealRange range) {
  if (!options.text(name).empty()) value = options.real(name, range);
}

void take_model(const base::Options& options, model::Config& config) {
  take(options, "d-model", config.d_model);
  take(options, "d-ff", config.d_ff);
  take(options, "heads", config.heads);
  const bool shaped = options.has("d-model") || options.has("heads");
  if (shaped && !(options.has("d-k") && options.has("d-v")) && config.d_model % config.heads != 0) {
    throw base::UsageError(base::concat("--heads ", config.heads, " does not divide --d-model ",
                                        config.d_model, "; give --d-k and --d-v"));
  }
  if (shaped) config.d_k = config.d_v = config.d_model / config.heads;
  take(options, "d-k", config.d_k);
  take(options, "d-v", config.d_v);
  take(options, "layers", config.encoder_layers);
  take(options, "layers", config.decoder_layers);
  take(options, "encoder-layers", config.encoder_layers);
  take(options, "decoder-layers", config.decoder_layers);
  constexpr base::RealRange probability{0, 0.99};
  take(options, "dropout", config.dropout, probability);
  take(options, "attention-dropout", config.attention_dropout, probability);
  take(options, "relu-dropout", config.relu_dropout, probability);
  take(options, "label-smoothing", config.label_smoothing, probability);
}

/// Parses the value with the parser of the model; its error becomes a usage error.
template <class Kind, class Parse>
void take_kind(const base::Options& options, std::string_view name, Kind& value, Parse parse) {
  if (!options.has(name)) return;
  try {
    value = parse(options.text(name));
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option --", error.what()));
  }
}

void take_kinds(const base::Options& options, model::Config& config) {
  take_kind(options, "positions", config.positions, model::parse_positions);
  take_kind(options, "norm", config.norm, model::parse_norm);
  take_kind(options, "tie", config.tie, model::parse_tie);
  take_kind(options, "activation", config.activation, model::parse_activation);
}

void take_recipe(const base::Options& options, train::Recipe& recipe) {
  take(options, "learning-rate", recipe.learning_rate, {0, 1e6});
  take(options, "warmup", recipe.warmup);
  take(options, "adam-beta1", recipe.adam.beta1, {0, 0.999999});
  take(options, "adam-beta2", recipe.adam.beta2, {0, 0.999999});
  take(options, "adam-epsilon", recipe.adam.epsilon, {0, 1});
  take(options, "weight-decay", recipe.adam.weight_decay, {0, 1e6});
  take(options, "clip-norm", recipe.clip_norm, {0, 1e30});
  take(options, "batch-tokens", recipe.batch_tokens);
  take(options, "accumulate", recipe.accumulate);
  take(options, "ema-decay", recipe.ema_decay, {0, 0.999999999});
  if (options.has("freeze")) recipe.freeze = options.list("freeze");
  recipe.precision = precision_of(options);
  recipe.seed = static_cast<std::uint64_t>(options.integer("seed", {.min = 0}));
}

/// The learning-rate schedule.  Its last update is one of the settings that a resumed run must
/// keep.
void take_schedule(const base::Options& options, train::Preset& preset) {
  take_kind(options, "schedule", preset.recipe.curve, train::parse_curve);
  const bool ends =
      preset.recipe.curve == train::Curve::kLinear || preset.recipe.curve == train::Curve::kCosine;
  if (!ends && options.has("schedule-steps"))
    throw base::UsageError("--schedule-steps needs --schedule linear or cosine");
  if (!ends) return;
  preset.recipe.schedule_steps = preset.course.max_steps;
  take(options, "schedule-steps", preset.recipe.schedule_steps);
  if (preset.recipe.schedule_steps <= preset.recipe.warmup) {
    throw base::UsageError(base::concat("the schedule of ", preset.recipe.schedule_steps,
                                        " updates must be longer than --warmup ",
                                        preset.recipe.warmup));
  }
}

void take_course(const base::Options& options, train::Course& course) {
  take(options, "max-steps", course.max_steps);
  take(options, "max-epochs", course.max_epochs, 0);
  take(options, "time-limit", course.time_limit_minutes, {0, 1e9});
  take(options, "valid-every", course.valid_every);
  take(options, "valid-beam", course.valid_beam, 0);
  take(options, "early-stopping", course.early_stopping, 0);
  take(options, "save-every", course.save_every);
  take(options, "keep", course.keep);
  take(options, "keep-states", course.keep_states);
  take(options, "keep-best", course.keep_best, 0);
  take_kind(options, "best-metric", course.best_metric, train::parse_metric);
  take(options, "log-every", course.log_every);
  take(options, "memory-budget", course.memory_budget_mib, 0);
}

train::Preset named_preset(const base::Options& options) {
  try {
    return train::preset(options.text("preset"));
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option '--preset': ", error.what()));
  }
}

}  // namespace

train::Preset preset_of(const base::Options& options) {
  auto preset = named_preset(options);
  take_model(options, preset.model);
  take_kinds(options, preset.model);
  take_recipe(options, preset.recipe);
  take_course(options, preset.course);
  take_schedule(options, preset);
  return preset;
}

std::string dumped(const train::Preset& preset) {
  std::string lines;
  for (const auto& settings : {model::to_settings(preset.model), train::to_settings(preset.recipe),
                               train::to_settings(preset.course)}) {
    for (const auto& [name, value] : settings.entries()) {
      // The first two follow from the corpus; only some schedules have a last update.
      const bool follows = name == "vocabulary" || name == "max-positions" || value.empty() ||
                           (name == "schedule-steps" && value == "0");
      if (!follows) lines += base::concat(name, " = ", value, "\n");
    }
  }
  return lines;
}

}  // namespace awend::tools
