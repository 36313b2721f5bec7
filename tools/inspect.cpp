// inspect: shows checkpoints, logs, attention files and devices as text, JSON, SVG or HTML.
// Each view has a file in tools/inspect.  Test: tests/cli/inspect.sh, tests/unit/inspect.
#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/report.hpp"
#include "cli/progress.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "inspect/attention_page.hpp"
#include "inspect/check_view.hpp"
#include "inspect/checkpoint_view.hpp"
#include "inspect/curves.hpp"
#include "inspect/devices_view.hpp"
#include "inspect/diff_view.hpp"
#include "inspect/position_map.hpp"
#include "inspect/score_bars.hpp"
#include "run_tool.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[--arrays | --json] CHECKPOINT",
                                       "--diff A B",
                                       "--check FILE...",
                                       "--attention [FILE]",
                                       "--curves [--over AXIS] [LOG]...",
                                       "--scores [FILE]...",
                                       "--positions CHECKPOINT",
                                       "--devices [--device NAME]"};

constexpr cli::Option kOptions[] = {
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    {.help = "Checkpoints"},
    {"arrays", 0, "", "", "list all arrays"},
    {"json", 0, "", "", "print JSON"},
    {"diff", 0, "", "", "compare two checkpoints"},
    {.help = "Integrity"},
    {"check", 0, "", "", "read files of any kind completely and verify their digests"},
    {.help = "Visualization"},
    {"attention", 0, "", "", "write an HTML page with the attention of translated lines"},
    {"curves", 0, "", "", "plot the logs of train as SVG"},
    {"over", 0, "AXIS", "step", "x-axis of the curves: step, epoch or seconds", "",
     base::texts_of<kOverWords>},
    {"scores", 0, "", "", "plot the scores of systems with confidence intervals as SVG"},
    {"positions", 0, "", "", "plot the tables of positions as SVG"},
    {.help = "Devices"},
    {"devices", 0, "", "", "list the Vulkan devices, or explain why there are none"},
    kDeviceOption,
};

constexpr cli::ToolDescription kTool = {
    .name = "inspect",
    .purpose = "Show the contents of checkpoints, logs and attention files, and list devices.",
    .usage = kUsage,
    .options = kOptions,
    .operands =
        "CHECKPOINT, A, B: from train or average; LOG: from train; FILE: from translate "
        "--attention; with --scores, from score --format tsv; with --check, any of these",
};

/// The output of a view, and an error to report after it (empty: none).
struct Shown {
  std::string text;
  std::string failure = {};
};

/// A view, its own options, and the number of operands that it takes.
struct View {
  std::string_view name;  // its switch; empty: the summary of a checkpoint
  std::size_t min_operands, max_operands;
  Shown (*show)(const cli::Options& options);
  std::string_view options[2] = {};
};

Shown checkpoint_text(const cli::Options& options) {
  if (options.flag("arrays") && options.flag("json"))
    throw base::UsageError(
        "--arrays and --json exclude each other: --json always lists the arrays");
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "reading", .unit = "weights"});
  const auto& named = options.operands()[0];
  const auto path = open_model(named, [&] { return store::model_file(named); });
  const auto shown = [&](const auto& facts) {
    if (options.flag("json")) return json_of(facts);
    return text_of(facts, options.flag("arrays") ? Detail::kArrays : Detail::kParts);
  };
  return open_model(path, [&]() -> Shown {
    if (const auto state = facts_of_state(path)) return {shown(*state)};
    return {shown(facts_of_checkpoint(path, &progress))};
  });
}

Shown diff_text_of(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "comparing", .unit = "weights"});
  return {diff_text(store::model_file(options.operands()[0]),
                    store::model_file(options.operands()[1]), &progress)};
}

Shown check_of(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "checking", .unit = "files"});
  const auto checked = check_files(options.operands(), &progress);
  return {checked.text, checked.failure};
}

Shown attention_page_of(const cli::Options& options) {
  const auto files = input_files(options);
  base::LineReader lines(files[0], base::InvalidUtf8::kError, store::kAttentionLimits);
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "reading", .unit = "lines", .inputs = files});
  return {attention_page(lines, &progress)};
}

/// The log in a directory of train, or the path itself.
std::string log_file_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path place = path;
  return std::filesystem::is_directory(place, error) ? (place / "log.tsv").string() : path;
}

Shown curves_of(const cli::Options& options) {
  const auto over = options.choice<kOverWords>("over");
  std::vector<RunLog> logs;
  for (const auto& path : input_files(options)) {
    base::LineReader lines(log_file_of(path), base::InvalidUtf8::kError, kLogLimits);
    logs.push_back(read_log(lines));
  }
  return {curves_svg(logs, over)};
}

Shown scores_of(const cli::Options& options) {
  std::vector<ScoreLine> scores;
  for (const auto& path : input_files(options)) {
    base::LineReader lines(path);
    for (ScoreLine& score : read_scores(lines)) scores.push_back(std::move(score));
  }
  return {score_bars_svg(scores)};
}

Shown positions_of(const cli::Options& options) {
  const auto& named = options.operands()[0];
  const auto path = open_model(named, [&] { return store::model_file(named); });
  return open_model(path, [&]() -> Shown {
    return {position_map_svg(named, position_tables(store::ArrayFile(path)))};
  });
}

Shown devices_of(const cli::Options& options) {
  const auto view = devices_view(options.text("device"));
  return {view.text, view.failure};
}

constexpr std::size_t kMany = 1'000'000;

constexpr View kViews[] = {
    {"devices", 0, 0, devices_of, {"device"}},
    {"curves", 0, kMany, curves_of, {"over"}},
    {"scores", 0, kMany, scores_of},
    {"attention", 0, 1, attention_page_of},
    {"positions", 1, 1, positions_of},
    {"diff", 2, 2, diff_text_of},
    {"check", 1, kMany, check_of},
    {"", 1, 1, checkpoint_text, {"arrays", "json"}},
};

const View& view_of(const cli::Options& options) {
  const View* chosen = nullptr;
  for (const auto& view : kViews) {
    if (view.name.empty() ? chosen != nullptr : !options.flag(view.name)) continue;
    if (chosen != nullptr)
      throw base::UsageError(
          base::concat("--", chosen->name, " and --", view.name, " exclude each other"));
    chosen = &view;
  }
  return *chosen;
}

/// UsageError for operands that the view does not take, and for options of other views.
void check_options(const cli::Options& options, const View& view) {
  const auto count = options.operands().size();
  if (count < view.min_operands) throw base::UsageError("missing operand");
  if (count > view.max_operands) {
    throw base::UsageError(
        base::concat("unexpected operand '", options.operands()[view.max_operands], "'"));
  }
  for (const auto& other : kViews) {
    for (const auto name : other.options) {
      if (name.empty() || std::ranges::find(view.options, name) != std::end(view.options)) continue;
      if (options.has_been_typed(name)) {
        throw base::UsageError(view.name.empty() ? base::concat("--", name, " needs --", other.name)
                                                 : base::concat("--", view.name, " and --", name,
                                                                " exclude each other"));
      }
    }
  }
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const auto& view = view_of(options);
  check_options(options, view);
  const auto shown = view.show(options);
  base::OutputFile out(options.text("output"));
  out.write(shown.text);
  out.commit();
  if (!shown.failure.empty()) base::fail(shown.failure);
}

}  // namespace awend::tools
