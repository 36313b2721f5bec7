// train: trains a model on a parallel corpus of token files (section 5 of the paper).  Test:
// tests/cli/train.sh.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <limits>

#include "base/files.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "cli/option_rules.hpp"
#include "cli/progress.hpp"
#include "device_option.hpp"
#include "foreign_model.hpp"
#include "metric_check.hpp"
#include "model/checkpoint.hpp"
#include "output_check.hpp"
#include "run_tool.hpp"
#include "setting_options.hpp"
#include "shaders/embedded.hpp"
#include "store/checkpoints.hpp"
#include "train/ranks/join_ranks.hpp"
#include "train/ranks/ranks_mpi.hpp"
#include "train/run.hpp"
#include "train_settings.hpp"

namespace awend::tools {
namespace {

std::string log_of(const cli::Options& options) {
  auto log = options.text("log");
  if (log == "-") throw base::UsageError("--log is a file; standard output has the log, too");
  return log;
}

constexpr std::string_view kUsage[] = {
    "--source FILE --target FILE --vocabulary FILE -o DIR [OPTION]...",
    "--architecture bert --source FILE --vocabulary FILE -o DIR [OPTION]..."};

constexpr cli::Option kFileOptions[] = {
    {"source", 's', "FILE,...", "", "source token files, one sentence per line; - is stdin"},
    {"target", 't', "FILE,...", "",
     "target token files, or labels or answers for BERT, line-aligned with --source"},
    {"weights", 0, "W,...", "", "sampling weight of each corpus; default: 1"},
    {"max-length", 0, "N", "",
     "skip pairs with more than N tokens on a side; default: longest that fit"},
    {"valid-source", 0, "FILE", "", "source token file for validation"},
    {"valid-target", 0, "FILE", "", "target token file for validation"},
    {"vocabulary", 'm', "FILE", "",
     "vocabulary file, from build-vocab, or a checkpoint with its vocabularies"},
    {"output", 'o', "DIR", "", "checkpoint directory; a run found there is resumed"},
    {"log", 0, "OUT", "", "append the log to this file; default: log.tsv in --output"},
    {"cache", 0, "DIR", "", "directory for encoded corpora; default: cache in --output"},
    {"init-from", 0, "FILE", "", "start a new run from the weights of this checkpoint"},
    {"extend-vocabulary", 0, "", "",
     "with --init-from: accept another vocabulary; keep embeddings of shared tokens"},
    {"resume-from", 0, "FILE", "", "start a new run from the training state of this checkpoint"},
    {"reset-optimizer", 0, "", "", "with --resume-from: reset the moments of Adam"},
    {"reset-schedule", 0, "", "",
     "with --resume-from: restart the update count and learning-rate schedule"},
    {"reset-data", 0, "", "",
     "with --resume-from: restart at the beginning of the (possibly different) corpus"},
    {"reset-best", 0, "", "", "with --resume-from: discard the best validation results"},
    {"config", 0, "FILE", "", "read options from a file of lines 'name = value'"},
    {"dump-config", 0, "", "",
     "print all effective settings of model and training in that format and exit"},
};

constexpr std::string_view kDevice = "Device";

constexpr cli::Option kAlignmentOption = {
    "guided-alignment", 0, "FILE,...", "",
    "word alignments of the pairs of each corpus, as align writes them"};

std::vector<cli::Option> all_options() {
  static OptionTable table;
  for (const auto& option : kFileOptions) table.add("Files", option);
  for (const auto& option : {kDeviceOption, kDeviceThreadsOption}) table.add(kDevice, option);
  table.add("Guided alignment", kAlignmentOption);
  add_field_options(table);
  return table.rows(kDevice);
}

std::string build() {
  return base::concat(shaders::matrix_kernels_origin(), "\n", train::mpi_origin());
}

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// Running text has no targets.
void check_targets(const cli::Options& options, bool has_targets) {
  options.required("source");
  if (has_targets) {
    options.required("target");
    return;
  }
  for (const auto name : {"target", "valid-target"}) {
    if (options.has(name)) {
      throw base::UsageError(base::concat("--", name,
                                          " needs --task classify, tag or spans: "
                                          "pre-training has no targets"));
    }
  }
}

std::vector<train::TrainingFiles> training_files_of(const cli::Options& options, bool has_targets) {
  check_targets(options, has_targets);
  const auto sources = options.last_list("source");
  const auto targets =
      has_targets ? options.last_list("target") : std::vector<std::string>(sources.size());
  const auto weights = options.reals("weights", train::kCorpusWeightRange);
  const auto alignments = options.last_list("guided-alignment");
  const auto require_as_many = [&](std::string_view name, const std::vector<std::string>& files) {
    if (files.size() == sources.size()) return;
    throw base::UsageError(base::concat("--source has ", sources.size(), " files, but --", name,
                                        " has ", files.size()));
  };
  require_as_many("target", targets);
  if (!alignments.empty()) require_as_many("guided-alignment", alignments);
  if (!weights.empty() && weights.size() != sources.size()) {
    throw base::UsageError(
        base::concat("--weights has ", weights.size(), " values for ", sources.size(), " corpora"));
  }
  std::vector<train::TrainingFiles> training;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    training.push_back({{sources[i], targets[i], alignments.empty() ? "" : alignments[i]},
                        weights.empty() ? 1 : weights[i]});
  }
  return training;
}

/// Checks the options that initialize a new run.
void check_start(const cli::Options& options) {
  cli::check_excludes(options, "init-from", {"resume-from"});
  cli::check_needs(options, {"extend-vocabulary"}, {"init-from"}, "--init-from");
  cli::check_needs(options, {"reset-optimizer", "reset-schedule", "reset-data", "reset-best"},
                   {"resume-from"}, "--resume-from; --init-from loads only the weights");
}

train::CorporaFiles files_of(const cli::Options& options, const train::Preset& preset) {
  const bool has_targets = model::text_kind_of(preset.model) != model::TextKind::kRunning;
  train::CorporaFiles files{training_files_of(options, has_targets), std::nullopt};
  if (has_targets && options.has("valid-source") != options.has("valid-target")) {
    throw base::UsageError("--valid-source and --valid-target must be given together");
  }
  if (options.has("valid-source"))
    files.validation = {options.text("valid-source"),
                        has_targets ? options.text("valid-target") : ""};
  if (!files.validation && options.integer("early-stopping") > 0) {
    throw base::UsageError("--early-stopping needs --valid-source and --valid-target");
  }
  // A dumped configuration always contains keep-best = 1 and a best-metric.
  if (!files.validation && options.integer("keep-best") > 1)
    throw base::UsageError("--keep-best needs --valid-source and --valid-target");
  const auto metric = preset.limits.best_metric;
  if (metric == train::ValidationMetric::kLoss) return files;
  if (!files.validation && metric != train::default_metric(preset.model))
    throw base::UsageError("--best-metric needs --valid-source and --valid-target");
  if (preset.limits.valid_beam == 0) {
    throw base::UsageError(
        base::concat("--best-metric ", name_of(metric), " needs --valid-beam 1 or more"));
  }
  return files;
}

/// The status line of a task of the run.
class StatusLine : public train::TaskView {
 public:
  StatusLine(const base::Report& report, const train::Task& task)
      : progress_(report, {.what = task.what, .unit = task.unit, .total_bytes = task.total_bytes}) {
  }
  bool is_due() const override { return progress_.is_due(); }
  void update(const train::TaskState& state) override {
    progress_.update(
        {.done = state.done, .bytes = state.bytes, .share = state.share, .more = state.more});
  }

 private:
  cli::Progress progress_;
};

/// Runs one of several processes.  Only rank 0 reports progress.  A rank that fails reports its own
/// error and aborts the others, which would otherwise wait for it forever.
void run_rank(const train::RunSettings& settings, train::Ranks& ranks,
              const cli::Options& options) {
  const base::Report own(base::concat(tool().name, ": rank ", ranks.rank()),
                         base::Verbosity::kQuiet);
  try {
    if (options.text("config") == "-")
      base::fail("-: not a file, but ", ranks.size(), " ranks read it");
    const auto train_with = [&](const base::Report& report) {
      open_model(settings.vocabulary, [&] { train::run(settings, ranks, report); });
    };
    return ranks.rank() == 0 ? train_with(cli::report_for(options)) : train_with(own);
  } catch (const base::Interrupted&) {
    ranks.abort(128 + base::stop_signal());  // interrupted before there was anything to save
  } catch (const base::ClosedPipe&) {
    ranks.abort(128 + SIGPIPE);
  } catch (const std::bad_alloc&) {
    own.error("out of memory");
    ranks.abort(1);
  } catch (const base::Error& error) {
    own.error(message_of(error));
    ranks.abort(1);
  } catch (const std::exception& error) {
    own.error(error.what());
    ranks.abort(1);
  }
}

/// The checkpoint of --init-from, or an empty path.  Throws Error if the file is not a checkpoint,
/// or cannot be trained.
std::string initial_checkpoint(const cli::Options& options) {
  const auto path = options.text("init-from");
  // A run that resumes does not need the file, which may have been removed.
  if (path.empty() || has_checkpoints(options.text("output"))) return path;
  return open_model(path, [&] {
    auto file = store::model_file(path);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      refuse_metric(model::read_config(store::ArrayFile(file)), file);
    return file;
  });
}

std::vector<std::string> requested_settings(const cli::Options& options) {
  std::vector<std::string> names;
  for (const auto& field : train::recipe_fields()) {
    if (!field.about.group.empty() && options.has(field.about.name))
      names.emplace_back(field.about.name);
  }
  return names;
}

}  // namespace

const cli::ToolDescription& tool() {
  static const std::vector<cli::Option> kOptions = all_options();
  static const cli::ToolDescription kTool = {
      .name = "train",
      .purpose = "Train a model on token files and write a log to stdout.",
      .usage = kUsage,
      .options = kOptions,
      .build = build,
      .settings = kTrainSettings,
  };
  return kTool;
}

void run(const cli::Options& options) {
  require_one_stdin(options, ImpliedStdin::kNo);  // again, with the file of --config
  const auto preset = preset_of(options);
  check_start(options);
  if (options.flag("dump-config")) {
    base::OutputFile output("-");
    output.write(dumped(options, preset));
    return output.commit();
  }
  const auto max_length =
      options.has("max-length") ? options.integer<std::uint32_t>("max-length", {1, kMost}) : 0;
  const train::RunSettings settings{
      .texts = files_of(options, preset),
      .vocabulary = vocabulary_file(options.required("vocabulary")),
      .output = options.required("output"),
      .cache = options.text("cache"),
      .max_length = max_length,
      .init_from = {initial_checkpoint(options), options.flag("extend-vocabulary")},
      .resume_from = options.text("resume-from"),
      .resets = {.optimizer = options.flag("reset-optimizer"),
                 .schedule = options.flag("reset-schedule"),
                 .data = options.flag("reset-data"),
                 .best = options.flag("reset-best")},
      .log = log_of(options),
      .log_output = "-",
      .device = options.text("device"),
      .threads = device_threads_of(options),
      .config = preset.model,
      .recipe = preset.recipe,
      .requested = requested_settings(options),
      .limits = preset.limits,
      .show_task = [](const base::Report& report, const train::Task& task) {
        return std::make_unique<StatusLine>(report, task);
      }};
  limit_device_threads(options);
  base::watch_stop_signals();
  // If the reader of the log exits, the write throws base::ClosedPipe, and the run is saved first.
  std::signal(SIGPIPE, SIG_IGN);
  const auto ranks = train::join_ranks();
  if (ranks->size() == 1) {
    base::Report report = cli::report_for(options);
    // The command at the other end of the pipe may write to the same terminal.
    if (base::OutputFile("-").is_piped_stdout()) report.hide_status();
    report.answer_interrupts("\r\x1b[Ktrain: stopping; press Ctrl-C again to quit immediately\n");
    open_model(settings.vocabulary, [&] { train::run(settings, *ranks, report); });
  } else {
    run_rank(settings, *ranks, options);
  }
  base::stop_if_requested();
}

}  // namespace awend::tools
