// train: two token files in, checkpoints of a Transformer out (the paper, section 5).  Test:
// tests/cli/train.sh.
#include <algorithm>
#include <csignal>

#include "base/files.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "device_option.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "shaders/embedded.hpp"
#include "train/ranks.hpp"
#include "train/run.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view usage[] = {
    "--source FILE --target FILE --vocabulary FILE -o DIR [OPTION]... > log.tsv"};

constexpr base::Option table[] = {
    {.help = "Files"},
    {"source", 's', "FILE,...", "", "token lines to translate from; - is stdin"},
    {"target", 't', "FILE,...", "", "their translations, line by line"},
    {"weights", 0, "W,...", "", "times an epoch meets each pair of each source; else 1"},
    {"max-length", 0, "N", "", "leave out pairs with more pieces on a side; else what fits"},
    {"valid-source", 0, "FILE", "", "token lines for validation"},
    {"valid-target", 0, "FILE", "", "their translations"},
    {"vocabulary", 'm', "FILE", "", "the vocabulary of the tokens, from build-vocab"},
    {"output", 'o', "DIR", "", "where checkpoints go; a run that stopped there goes on"},
    {"cache", 0, "DIR", "", "where encoded corpora are kept; else DIR/cache of --output"},
    {"init-from", 0, "FILE", "", "start a new run from the weights of this checkpoint"},
    {"config", 0, "FILE", "", "read options from lines 'name = value'"},
    {"dump-config", 0, "", "", "print such lines for all settings that hold, and stop"},
    {.help = "Model (defaults are the preset's)"},
    {"preset", 'p', "NAME", "base", "base, big, small or tiny: sets all that follows"},
    {"d-model", 0, "N", "", "width of the model"},
    {"d-ff", 0, "N", "", "width inside the feed-forward layers"},
    {"heads", 0, "N", "", "attention heads"},
    {"d-k", 0, "N", "", "width of a head's queries and keys; else d-model / heads"},
    {"d-v", 0, "N", "", "width of a head's values; else d-model / heads"},
    {"layers", 0, "N", "", "layers of encoder and decoder alike"},
    {"encoder-layers", 0, "N", "", "layers of the encoder"},
    {"decoder-layers", 0, "N", "", "layers of the decoder"},
    {"positions", 0, "KIND", "", "sinusoid or learned"},
    {"norm", 0, "WHERE", "", "post or pre"},
    {"tie", 0, "WHICH", "", "embeddings that are one matrix: all, decoder or none"},
    {"activation", 0, "KIND", "", "of the feed-forward layers: relu, gelu or swish"},
    {.help = "Regularisation (defaults are the preset's)"},
    {"dropout", 0, "P", "", "of each sub-layer's output and of the embeddings"},
    {"attention-dropout", 0, "P", "", "of attention weights"},
    {"relu-dropout", 0, "P", "", "inside the feed-forward layers"},
    {"label-smoothing", 0, "P", "", "probability taken from the true token"},
    {.help = "Optimiser (defaults are the preset's)"},
    {"learning-rate", 0, "R", "", "the highest; 0 is the paper's, (d-model * warmup)^-0.5"},
    {"warmup", 0, "N", "", "updates until the highest rate"},
    {"schedule", 0, "CURVE", "inverse-sqrt",
     "of the rate after that: inverse-sqrt, constant, linear or cosine"},
    {"schedule-steps", 0, "N", "", "updates until linear and cosine end; else --max-steps"},
    {"adam-beta1", 0, "B", "0.9", "decay of the first moment"},
    {"adam-beta2", 0, "B", "0.98", "decay of the second moment"},
    {"adam-epsilon", 0, "E", "1e-9", "added to the root of the second moment"},
    {"weight-decay", 0, "D", "0", "share of rate times weight that goes in each update (AdamW)"},
    {"clip-norm", 0, "NORM", "0", "longest gradient; 0 is any"},
    {"batch-tokens", 0, "N", "", "most tokens of a batch, on each side, whatever the memory"},
    {"accumulate", 0, "N", "1", "batches to one update"},
    {"seed", 0, "N", "1", "of first weights, order of batches and dropout"},
    {.help = "Course (defaults are the preset's)"},
    {"max-steps", 0, "N", "", "stop after so many updates"},
    {"max-epochs", 0, "N", "0", "stop after so many epochs; 0 is any number"},
    {"time-limit", 0, "MINUTES", "0", "save and stop after so long; 0 is never"},
    {"valid-every", 0, "N", "", "updates between validations"},
    {"valid-beam", 0, "N", "1", "beam of the translations that validations score by BLEU; 0: none"},
    {"early-stopping", 0, "N", "0", "stop after N validations without a better one; 0 is never"},
    {"save-every", 0, "N", "", "updates between checkpoints"},
    {"keep", 0, "N", "5", "checkpoints that are kept, the newest"},
    {"log-every", 0, "N", "50", "updates between lines of the log"},
    {.help = "Device"},
    kDeviceOption,
    kPrecisionOption,
    {"memory-budget", 0, "MIB", "0",
     "device memory to train in, by as many passes as that takes; 0 is all"},
};

std::string build() {
  return base::concat(shaders::matrix_kernels_origin(), "\n", train::mpi_origin());
}

constexpr base::ToolDescription description = {
    .name = "train",
    .purpose = "Trains a Transformer on a parallel corpus and writes a log to stdout.",
    .usage = usage,
    .options = table,
    .build = build,
};

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// Sets `value` if the option was given, and leaves the preset's otherwise.
template <class Number>
void take(const base::Options& options, std::string_view name, Number& value,
          std::int64_t least = 1) {
  if (!options.text(name).empty())
    value = static_cast<Number>(options.integer(name, {.min = least, .max = most}));
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
    throw base::UsageError(base::concat("--heads ", config.heads, " do not divide --d-model ",
                                        config.d_model, "; then --d-k and --d-v must be given"));
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

/// As the model's own parser reads the option's word; its complaint is about the command line here.
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
  recipe.precision = precision_of(options);
  recipe.seed = static_cast<std::uint64_t>(options.integer("seed", {.min = 0}));
}

/// The curve of the rate; where it ends is part of what a run that goes on must share with its
/// past.
void take_schedule(const base::Options& options, train::Preset& preset) {
  take_kind(options, "schedule", preset.recipe.curve, train::parse_curve);
  const bool ends =
      preset.recipe.curve == train::Curve::kLinear || preset.recipe.curve == train::Curve::kCosine;
  if (!ends && options.has("schedule-steps"))
    throw base::UsageError("--schedule-steps is for --schedule linear and cosine");
  if (!ends) return;
  preset.recipe.schedule_steps = preset.course.max_steps;
  take(options, "schedule-steps", preset.recipe.schedule_steps);
  if (preset.recipe.schedule_steps <= preset.recipe.warmup) {
    throw base::UsageError(base::concat("the schedule ends after ", preset.recipe.schedule_steps,
                                        " updates, which --warmup ", preset.recipe.warmup,
                                        " alone takes"));
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
  take(options, "log-every", course.log_every);
  take(options, "memory-budget", course.memory_budget_mib, 0);
}

/// Standard input is one text, not two.
void check_stdin(const base::Options& options) {
  std::ptrdiff_t count = 0;
  for (const auto name : {"source", "target", "valid-source", "valid-target"}) {
    const auto files = options.last_list(name);
    count += std::count(files.begin(), files.end(), "-");
  }
  if (count > 1) throw base::UsageError("only one of the texts can be stdin");
}

std::vector<train::TrainingFiles> training_files_of(const base::Options& options) {
  options.required("source");
  options.required("target");
  const auto sources = options.last_list("source"), targets = options.last_list("target");
  const auto weights = options.reals("weights", {.min = 0.001, .max = 1000});
  if (sources.size() != targets.size()) {
    throw base::UsageError(
        base::concat("--source has ", sources.size(), " files, --target has ", targets.size()));
  }
  if (!weights.empty() && weights.size() != sources.size()) {
    throw base::UsageError(base::concat("--weights has ", weights.size(), " numbers for ",
                                        sources.size(), " corpora"));
  }
  std::vector<train::TrainingFiles> training;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    training.push_back({{sources[i], targets[i]}, weights.empty() ? 1 : weights[i]});
  }
  return training;
}

train::CorporaFiles files_of(const base::Options& options) {
  train::CorporaFiles files{training_files_of(options), std::nullopt};
  if (options.has("valid-source") != options.has("valid-target")) {
    throw base::UsageError("--valid-source and --valid-target go together");
  }
  if (options.has("valid-source"))
    files.validation = {options.text("valid-source"), options.text("valid-target")};
  if (!files.validation && options.integer("early-stopping") > 0) {
    throw base::UsageError("--early-stopping needs --valid-source and --valid-target");
  }
  return files;
}

train::Preset preset_of(const base::Options& options) {
  try {
    return train::preset(options.text("preset"));
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option '--preset': ", error.what()));
  }
}

/// All settings that decide a run, as --config reads them.
std::string dumped(const train::Preset& preset) {
  std::string lines;
  for (const auto& settings : {model::to_settings(preset.model), train::to_settings(preset.recipe),
                               train::to_settings(preset.course)}) {
    for (const auto& [name, value] : settings.entries()) {
      // These follow from the texts; and an end that a curve has not cannot be given.
      const bool follows = name == "vocabulary" || name == "max-positions" ||
                           (name == "schedule-steps" && value == "0");
      if (!follows) lines += base::concat(name, " = ", value, "\n");
    }
  }
  return lines;
}

/// One of several processes.  Rank 0 speaks for all; one that fails says so itself, and ends the
/// others, who would wait for it for ever.
void run_rank(const train::RunSettings& settings, train::Ranks& ranks,
              const base::Options& options) {
  const base::Report own(base::concat(description.name, ": rank ", ranks.rank()),
                         base::Verbosity::kQuiet);
  try {
    if (ranks.rank() == 0) return train::run(settings, ranks, base::Report(options));
    return train::run(settings, ranks, own);
  } catch (const base::Interrupted&) {
    ranks.abort(128 + base::stop_signal());  // before there was something to save
  } catch (const base::ClosedPipe&) {
    ranks.abort(128 + SIGPIPE);
  } catch (const std::exception& error) {
    own.error(error.what());
    ranks.abort(1);
  }
}

}  // namespace

const base::ToolDescription& tool() {
  return description;
}

void run(const base::Options& options) {
  check_stdin(options);
  auto preset = preset_of(options);
  take_model(options, preset.model);
  take_kinds(options, preset.model);
  take_recipe(options, preset.recipe);
  take_course(options, preset.course);
  take_schedule(options, preset);
  if (options.flag("dump-config")) {
    base::OutputFile output("-");
    output.write(dumped(preset));
    return output.commit();
  }
  std::uint32_t max_length = 0;
  take(options, "max-length", max_length);
  const train::RunSettings settings{.texts = files_of(options),
                                    .vocabulary = options.required("vocabulary"),
                                    .output = options.required("output"),
                                    .cache = options.text("cache"),
                                    .max_length = max_length,
                                    .init_from = options.text("init-from"),
                                    .device = options.text("device"),
                                    .config = preset.model,
                                    .recipe = preset.recipe,
                                    .course = preset.course};
  base::watch_stop_signals();
  // When the log's reader goes, the write says so (base::ClosedPipe), and the work is saved first.
  std::signal(SIGPIPE, SIG_IGN);
  const auto ranks = train::join_ranks();
  if (ranks->size() == 1) {
    train::run(settings, *ranks, base::Report(options));
  } else {
    run_rank(settings, *ranks, options);
  }
  if (base::stop_signal() != 0) throw base::Interrupted();
}

}  // namespace awend::tools
