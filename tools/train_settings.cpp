#include "train_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "dependent_settings.hpp"
#include "foreign_model.hpp"
#include "metric_check.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"
#include "store/checkpoints.hpp"
#include "train/initial_weights.hpp"

namespace awend::tools {
namespace {

/// "…: base, big, small or tiny; of recurrent networks: …"
std::string preset_help() {
  constexpr std::pair<std::string_view, std::string_view> kArchitectures[] = {
      {"transformer", "defaults of the settings below"},
      {"rnn", "; of recurrent networks"},
      {"memory", "; of memory networks"},
      {"bert", "; of BERT"}};
  std::string help;
  for (const auto& [architecture, words] : kArchitectures) {
    help += base::concat(words, ": ", base::alternatives(model::preset_names(architecture)));
  }
  return help;
}

void require_settings_of(const cli::Options& options, const model::Config& config) {
  for (const auto& field : model::config_fields()) {
    const auto name = field.about.name;
    if (field.about.group.empty() || !options.has(name) || model::has_setting(config, name))
      continue;
    throw base::UsageError(
        base::concat("--", name, " is not a setting of the architecture ", config.architecture));
  }
}

// d-k and d-v follow from the other options unless they are given.
void apply_model(const cli::Options& options, model::Config& config) {
  auto& transformer = config.transformer;
  require_settings_of(options, config);
  apply(options, model::config_fields(config.architecture), config);
  if (options.has("layers")) {
    if (!model::has_setting(config, "encoder-layers")) {
      throw base::UsageError(
          base::concat("--layers is not a setting of the architecture ", config.architecture));
    }
    const auto layers =
        options.integer<std::uint32_t>("layers", {model::kLayers.min, model::kLayers.max});
    if (options.decides("layers", "encoder-layers")) config.encoder_layers = layers;
    const bool decodes = model::has_setting(config, "decoder-layers");
    if (decodes && options.decides("layers", "decoder-layers")) config.decoder_layers = layers;
  }
  // With a target, a model for given text learns its labels; one that has learned some before keeps
  // its task.
  const bool is_pretrained =
      model::has_setting(config, "task") && config.bert.task == model::Task::kPretrain;
  if (is_pretrained && !options.has("task") && options.has("target"))
    config.bert.task = model::Task::kClassify;
  if (!model::has_setting(config, "heads") || (!options.has("d-model") && !options.has("heads")))
    return;
  const bool needs_size = !options.has("d-k") || !options.has("d-v");
  if (needs_size && config.d_model % transformer.heads != 0) {
    throw base::UsageError(base::concat("--heads ", transformer.heads,
                                        " does not divide --d-model ", config.d_model,
                                        "; give --d-k and --d-v"));
  }
  if (!options.has("d-k")) transformer.d_k = config.d_model / transformer.heads;
  if (!options.has("d-v")) transformer.d_v = config.d_model / transformer.heads;
}

/// With alignments, a layer is guided: the last unless another one is given.
/// `own` is the layer that the preset or checkpoint has; a dumped configuration always contains it.
void complete_alignment(const cli::Options& options, std::uint32_t own, model::Config& config) {
  auto& layer = config.transformer.guided_alignment_layer;
  // A checkpoint may have more layers than are requested.
  if (!options.has("guided-alignment-layer") && layer > config.decoder_layers) layer = 0;
  if (options.has("guided-alignment")) {
    if (!model::has_setting(config, "guided-alignment-layer")) {
      throw base::UsageError(base::concat("--guided-alignment is not for the architecture ",
                                          config.architecture, ", only for transformer"));
    }
    if (layer == 0) layer = config.decoder_layers;
  } else if (options.has("guided-alignment-layer") && layer != 0 && layer != own) {
    throw base::UsageError("--guided-alignment-layer needs --guided-alignment");
  }
}

/// Without alignments the weight and kind of their cost have no effect.  A dumped configuration
/// always contains them.
void check_alignment_cost(const cli::Options& options, const train::Recipe& recipe) {
  const bool is_default = recipe.guided_alignment == nn::GuidedAlignment{};
  if (options.has("guided-alignment") || is_default) return;
  throw base::UsageError(
      "--guided-alignment-cost and --guided-alignment-weight need --guided-alignment");
}

/// The products of other architectures are not all rounded in training, and narrow operands twice.
void check_quantization(const train::Preset& preset) {
  if (preset.recipe.quantize == train::Quantize::kNone) return;
  if (!model::has_setting(preset.model, "autoregressive-layer")) {
    throw base::UsageError(base::concat("--quantize int8 is not for the architecture ",
                                        preset.model.architecture, ", only for transformer"));
  }
  if (const auto precision = preset.recipe.precision; precision != nn::Element::kFloat32) {
    throw base::UsageError(
        base::concat("--quantize int8 needs --precision fp32, got ", nn::name_of(precision)));
  }
}

/// The preset that is named, or that of the architecture.
train::Preset chosen_preset(const cli::Options& options) {
  if (!options.has("architecture")) return train::preset(options.text("preset"));
  const auto requested = options.text("architecture");
  if (!options.has("preset")) return train::preset(model::default_preset(requested));
  const auto preset = train::preset(options.text("preset"));
  if (requested == preset.model.architecture) return preset;
  throw base::UsageError(base::concat("--preset ", options.text("preset"),
                                      " is of the architecture ", preset.model.architecture,
                                      ", not ", requested));
}

/// A dumped configuration may contain the default.
void check_deviation(const cli::Options& options, const nn::InitialDistribution& initial) {
  const nn::InitialDistribution usual;
  if (options.has("initializer-deviation") && initial.weights == usual.weights &&
      initial.deviation != usual.deviation) {
    throw base::UsageError("--initializer-deviation needs another --initializer than glorot");
  }
}

void complete_schedule(const cli::Options& options, train::Preset& preset) {
  auto& recipe = preset.recipe;
  if (!train::has_steps(recipe.curve)) {
    if (options.has("schedule-steps"))
      throw base::UsageError("--schedule-steps needs --schedule linear, cosine or halving");
    recipe.schedule_steps = 0;
    return;
  }
  const std::uint64_t max_steps = preset.limits.max_steps;
  if (recipe.curve == train::Curve::kHalving) {
    if (recipe.schedule_steps == 0)
      recipe.schedule_steps = std::max<std::uint64_t>(max_steps / 4, 1);
    return;
  }
  if (!options.has("schedule-steps")) recipe.schedule_steps = max_steps;
  const auto require_longer = [&](std::string_view option, std::uint64_t steps) {
    if (recipe.schedule_steps > steps) return;
    throw base::UsageError(base::concat("the schedule of ", recipe.schedule_steps,
                                        " updates must be longer than --", option, ' ', steps));
  };
  require_longer("warmup", recipe.warmup);
  if (model::has_setting(preset.model, "linear-start"))
    require_longer("linear-start", preset.model.memory.linear_start);
}

/// The default metric may be a score, which needs a search.
void complete_metric(train::Preset& preset) {
  auto& limits = preset.limits;
  if (limits.valid_beam == 0 && limits.best_metric == train::default_metric(preset.model))
    limits.best_metric = train::ValidationMetric::kLoss;
}

/// The settings of a model whose vocabulary is extended name tokens by their ids in the new one.
void extend_ids(const cli::Options& options, const store::ArrayFile& checkpoint,
                model::Config& config) {
  const bool has_start =
      config.decoder_start == model::DecoderStart::kToken && !options.has("start-id");
  const auto masked_ids = std::exchange(config.transformer.masked_ids, {});
  if (!has_start && masked_ids.empty()) return;
  const auto own = text::Vocabulary::read(options.required("vocabulary"));
  const auto its = text::Vocabulary::parse(checkpoint.metadata_at(store::keys::kVocabulary),
                                           checkpoint.path() + ": vocabulary");
  const auto ids = train::partners(its, own);
  for (const auto id : masked_ids) {
    if (id < ids.size() && ids[id]) config.transformer.masked_ids.push_back(*ids[id]);
  }
  std::ranges::sort(config.transformer.masked_ids);
  if (!has_start || config.start_id >= ids.size()) return;
  if (!ids[config.start_id]) {
    base::fail(checkpoint.path(), ": its decoder starts with '", its.piece(config.start_id),
               "', which the vocabulary lacks; give --start-id");
  }
  config.start_id = *ids[config.start_id];
}

/// The model of the checkpoint whose vocabularies are used, or extended, is the default unless a
/// preset is given.  A run that resumes does not need the one that it started from.
void apply_checkpoint(const cli::Options& options, model::Config& config) {
  if (options.has("preset") || options.has("architecture")) return;
  auto path = vocabulary_file(options.text("vocabulary"));
  const bool is_extended = !store::looks_like_checkpoint(path) && options.flag("extend-vocabulary");
  if (is_extended) {
    path = store::model_file(
        options.text(has_checkpoints(options.text("output")) ? "output" : "init-from"));
    // Where only rank 0 has the checkpoints, the others need the file.
    if (!std::filesystem::exists(path)) base::fail_errno(path, ENOENT);
  }
  if (!store::looks_like_checkpoint(path)) return;
  const store::ArrayFile checkpoint(path);
  config = model::read_config(checkpoint);
  refuse_metric(config, path);
  if (is_extended) extend_ids(options, checkpoint, config);
}

void check_consistency(const model::Config& config) {
  try {
    model::require_consistent(config);
  } catch (const base::Error& error) {
    throw base::UsageError(error.what());
  }
}

void check_best_metric(const train::Preset& preset) {
  try {
    train::require_metric(preset.limits.best_metric, preset.model);
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option '--best-metric': for this model ", error.what()));
  }
}

/// The preset that shares most of the model's settings without an option; of several, the usual one
/// of its architecture.
std::string preset_like(const model::Config& config) {
  const auto fields = model::config_fields(config.architecture);
  const auto shared = [&](std::string_view name) {
    return std::ranges::count_if(fields, [&, preset = model::preset(name)](const auto& field) {
      return field.about.group.empty() && field.text(config) == field.text(preset);
    });
  };
  auto names = model::preset_names(config.architecture);
  names.insert(names.begin(), model::default_preset(config.architecture));
  return std::string(*std::ranges::max_element(names, {}, shared));
}

}  // namespace

bool has_checkpoints(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::is_directory(directory, ignored) &&
         !store::list_checkpoints(directory).empty();
}

void add_field_options(OptionTable& table) {
  static const auto kPresetHelp = preset_help();
  const auto model = model::config_fields();
  const auto group = std::ranges::find(model, "d-model", [](const auto& setting) {
                       return setting.about.name;
                     })->about.group;
  table.add(group, {.name = "preset",
                    .letter = 'p',
                    .metavar = "NAME",
                    .default_value = "base",
                    .help = kPresetHelp,
                    .choices = base::texts_of<model::kPresets>});
  table.add(group, {.name = "architecture",
                    .metavar = "NAME",
                    .help = "transformer, rnn, memory or bert; default: that of the preset",
                    .choices = model::architecture_names});
  table.add(model);
  table.add(
      group,
      {.name = "layers", .metavar = "N", .help = "number of encoder layers and of decoder layers"},
      "encoder-layers");
  table.add(train::recipe_fields());
  table.add(train::limit_fields());
}

std::string vocabulary_file(const std::string& path) {
  return open_model(path, [&] { return store::model_file(path); });
}

train::Preset preset_of(const cli::Options& options) {
  auto preset = chosen_preset(options);
  apply_checkpoint(options, preset.model);
  const auto inherited = preset.model;
  const auto defaults =
      model::preset(options.has("preset") ? options.text("preset")
                                          : model::default_preset(inherited.architecture));
  apply_model(options, preset.model);
  settle_dependent_settings(options, defaults, inherited, preset.model);
  complete_alignment(options, inherited.transformer.guided_alignment_layer, preset.model);
  apply(options, train::recipe_fields(), preset.recipe);
  apply(options, train::limit_fields(), preset.limits);
  check_alignment_cost(options, preset.recipe);
  check_quantization(preset);
  check_deviation(options, preset.recipe.initializer);
  complete_schedule(options, preset);
  complete_metric(preset);
  check_consistency(preset.model);
  check_best_metric(preset);
  return preset;
}

std::string dumped(const cli::Options& options, const train::Preset& preset) {
  // A preset also decides settings without an option.  Those of a Transformer have options.
  const auto architecture = model::to_settings(preset.model).find("architecture");
  std::string first;
  model::Config defaults;
  if (architecture) {
    const auto name = options.has("preset") ? options.text("preset")
                      : options.has("architecture")
                          ? std::string(model::default_preset(*architecture))
                          : preset_like(preset.model);
    first = base::concat("preset = ", name, "\n");
    defaults = model::preset(name);
  }
  return first +
         config_lines(model::config_fields(preset.model.architecture), preset.model, defaults) +
         config_lines(train::recipe_fields(), preset.recipe) +
         config_lines(train::limit_fields(), preset.limits);
}

}  // namespace awend::tools
