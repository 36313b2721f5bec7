// train: two token files in, checkpoints of a Transformer out (the paper, section 5).  Test:
// tests/cli/train.sh.
#include <algorithm>
#include <csignal>
#include <limits>

#include "base/files.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "device_option.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "shaders/embedded.hpp"
#include "train/ranks.hpp"
#include "train_settings.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {
    "--source FILE --target FILE --vocabulary FILE -o DIR [OPTION]..."};

constexpr base::Option kOptions[] = {
    {.help = "Files"},
    {"source", 's', "FILE,...", "", "token lines to translate from; - is stdin"},
    {"target", 't', "FILE,...", "", "their translations, line by line"},
    {"weights", 0, "W,...", "", "how often an epoch meets each pair of each corpus; else once"},
    {"max-length", 0, "N", "", "leave out pairs with more pieces on a side; else what fits"},
    {"valid-source", 0, "FILE", "", "token lines for validation"},
    {"valid-target", 0, "FILE", "", "their translations"},
    {"vocabulary", 'm', "FILE", "", "the vocabulary of the tokens, from build-vocab"},
    {"output", 'o', "DIR", "", "where checkpoints go; a run that stopped there goes on"},
    {"cache", 0, "DIR", "", "where encoded corpora are kept; else DIR/cache of --output"},
    {"init-from", 0, "FILE", "", "start a new run from the weights of this checkpoint"},
    {"extend-vocabulary", 0, "", "", "... of another vocabulary: take along what both have"},
    {"resume-from", 0, "FILE", "", "start a new run where this checkpoint's stands, but ..."},
    {"reset-optimizer", 0, "", "", "... without the moments of Adam"},
    {"reset-schedule", 0, "", "", "... counting updates, and so the rate, from 0"},
    {"reset-data", 0, "", "", "... from the beginning of the corpus, perhaps another"},
    {"reset-best", 0, "", "", "... forgetting its best validations"},
    {"config", 0, "FILE", "", "read options from lines 'name = value'"},
    {"dump-config", 0, "", "", "print such lines for all settings that hold, and stop"},
    {.help = "Model (defaults are the preset's)"},
    {"preset", 'p', "NAME", "base", "base, big, small or tiny: sets all that follows", "",
     "base big small tiny"},
    {"d-model", 0, "N", "", "width of the model"},
    {"d-ff", 0, "N", "", "width inside the feed-forward layers"},
    {"heads", 0, "N", "", "attention heads"},
    {"d-k", 0, "N", "", "width of a head's queries and keys; else d-model / heads"},
    {"d-v", 0, "N", "", "width of a head's values; else d-model / heads"},
    {"layers", 0, "N", "", "layers of encoder and decoder alike"},
    {"encoder-layers", 0, "N", "", "layers of the encoder"},
    {"decoder-layers", 0, "N", "", "layers of the decoder"},
    {"positions", 0, "KIND", "", "sinusoid or learned", "", "sinusoid learned"},
    {"norm", 0, "WHERE", "", "post or pre", "", "post pre"},
    {"tie", 0, "WHICH", "", "embeddings that are one matrix: all, decoder or none", "",
     "all decoder none"},
    {"activation", 0, "KIND", "", "of the feed-forward layers: relu, gelu or swish", "",
     "relu gelu swish"},
    {.help = "Regularisation (defaults are the preset's)"},
    {"dropout", 0, "P", "", "of each sub-layer's output and of the embeddings"},
    {"attention-dropout", 0, "P", "", "of attention weights"},
    {"relu-dropout", 0, "P", "", "inside the feed-forward layers"},
    {"label-smoothing", 0, "P", "", "probability taken from the true token"},
    {.help = "Optimiser (defaults are the preset's)"},
    {"learning-rate", 0, "R", "", "the highest; 0 is the paper's, (d-model * warmup)^-0.5"},
    {"warmup", 0, "N", "", "updates until the highest rate"},
    {"schedule", 0, "CURVE", "inverse-sqrt",
     "of the rate after that: inverse-sqrt, constant, linear or cosine", "",
     "inverse-sqrt constant linear cosine"},
    {"schedule-steps", 0, "N", "", "updates until linear and cosine end; else --max-steps"},
    {"adam-beta1", 0, "B", "0.9", "decay of the first moment"},
    {"adam-beta2", 0, "B", "0.98", "decay of the second moment"},
    {"adam-epsilon", 0, "E", "1e-9", "added to the root of the second moment"},
    {"weight-decay", 0, "D", "0", "AdamW: each update takes this times the rate of every weight"},
    {"clip-norm", 0, "NORM", "0", "longest gradient; 0 is any"},
    {"batch-tokens", 0, "N", "", "most tokens of a batch, on each side, whatever the memory"},
    {"accumulate", 0, "N", "1", "batches to one update"},
    {"seed", 0, "N", "1", "of first weights, order of batches and dropout"},
    {"ema-decay", 0, "D", "0", "validate and save a moving average of the weights; 0: none"},
    {"freeze", 0, "PATTERN,...", "", "parameters that stay as they are, as 'encoder.*'"},
    {.help = "Course (defaults are the preset's)"},
    {"max-steps", 0, "N", "", "stop after so many updates"},
    {"max-epochs", 0, "N", "0", "stop after so many epochs; 0 is any number"},
    {"time-limit", 0, "MINUTES", "0", "save and stop after so long; 0 is never"},
    {"valid-every", 0, "N", "", "updates between validations"},
    {"valid-beam", 0, "N", "1", "beam of the translations that validations score by BLEU; 0: none"},
    {"early-stopping", 0, "N", "0", "stop after N validations without a better one; 0 is never"},
    {"save-every", 0, "N", "", "updates between checkpoints"},
    {"keep", 0, "N", "5", "checkpoints that are kept, the newest"},
    {"keep-best", 0, "N", "1", "checkpoints that are kept, of the best validations"},
    {"best-metric", 0, "WHICH", "loss", "what best means: loss, bleu or chrf", "",
     "loss bleu chrf"},
    {"log-every", 0, "N", "50", "updates between lines of the log"},
    {.help = "Device"},
    kDeviceOption,
    kPrecisionOption,
    {"memory-budget", 0, "MIB", "0", "device memory to train in, in so many passes; 0 is all"},
};

std::string build() {
  return base::concat(shaders::matrix_kernels_origin(), "\n", train::mpi_origin());
}

constexpr base::ToolDescription kTool = {
    .name = "train",
    .purpose = "Train a Transformer on a parallel corpus and write a log to stdout.",
    .usage = kUsage,
    .options = kOptions,
    .build = build,
};

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

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

/// Where a new run begins.
void check_start(const base::Options& options) {
  if (options.has("init-from") && options.has("resume-from"))
    throw base::UsageError("--init-from and --resume-from exclude each other");
  if (options.flag("extend-vocabulary") && !options.has("init-from"))
    throw base::UsageError("--extend-vocabulary needs --init-from");
  for (const auto name : {"reset-optimizer", "reset-schedule", "reset-data", "reset-best"}) {
    if (options.flag(name) && !options.has("resume-from")) {
      throw base::UsageError(base::concat("--", name,
                                          " needs --resume-from; --init-from takes the "
                                          "weights alone"));
    }
  }
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
  if (options.text("best-metric") != "loss" && options.integer("valid-beam") == 0) {
    throw base::UsageError(
        base::concat("--best-metric ", options.text("best-metric"), " needs a --valid-beam"));
  }
  return files;
}

/// One of several processes.  Rank 0 speaks for all; one that fails says so itself, and ends the
/// others, who would wait for it for ever.
void run_rank(const train::RunSettings& settings, train::Ranks& ranks,
              const base::Options& options) {
  const base::Report own(base::concat(kTool.name, ": rank ", ranks.rank()),
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
  return kTool;
}

void run(const base::Options& options) {
  check_stdin(options);
  const auto preset = preset_of(options);
  check_start(options);
  if (options.flag("dump-config")) {
    base::OutputFile output("-");
    output.write(dumped(preset));
    return output.commit();
  }
  const auto max_length =
      options.has("max-length") ? options.integer("max-length", {.min = 1, .max = kMost}) : 0;
  const train::RunSettings settings{
      .texts = files_of(options),
      .vocabulary = options.required("vocabulary"),
      .output = options.required("output"),
      .cache = options.text("cache"),
      .max_length = static_cast<std::uint32_t>(max_length),
      .init_from = {options.text("init-from"), options.flag("extend-vocabulary")},
      .resume_from = options.text("resume-from"),
      .resets = {.optimizer = options.flag("reset-optimizer"),
                 .schedule = options.flag("reset-schedule"),
                 .data = options.flag("reset-data"),
                 .best = options.flag("reset-best")},
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
