// inspect: a checkpoint, a log, an attention file or this machine in, something to look at out.
// Each view is in a file of tools/inspect.  Test: tests/cli/inspect.sh, tests/unit/inspect.
#include <algorithm>

#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "inspect/attention_page.hpp"
#include "inspect/checkpoint_view.hpp"
#include "inspect/curves.hpp"
#include "inspect/devices_view.hpp"
#include "inspect/diff_view.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[--arrays | --json] CHECKPOINT", "--diff A B",
                                       "--attention [FILE]", "--curves [--over AXIS] [LOG]...",
                                       "--devices [--device NAME]"};

constexpr base::Option kOptions[] = {
    {"output", 'o', "FILE", "-", "where to write; - is stdout"},
    {.help = "Checkpoints"},
    {"arrays", 0, "", "", "list every array"},
    {"json", 0, "", "", "print JSON"},
    {"diff", 0, "", "", "compare two checkpoints"},
    {.help = "Pictures"},
    {"attention", 0, "", "", "a page that draws the attention of translated lines"},
    {"curves", 0, "", "", "an SVG picture of the logs of train"},
    {"over", 0, "AXIS", "step", "what curves are drawn over: step, epoch or seconds", "",
     "step epoch seconds"},
    {.help = "Devices"},
    {"devices", 0, "", "", "list the Vulkan devices; where there is none, say why"},
    kDeviceOption,
};

constexpr base::ToolDescription kTool = {
    .name = "inspect",
    .purpose =
        "Show what is in a checkpoint, a log or an attention file, and this machine's devices.",
    .usage = kUsage,
    .options = kOptions,
    .operands =
        "CHECKPOINT, A, B: from train or average; FILE: from translate --attention; "
        "LOG: from train",
};

/// What a view shows, and what is wrong even so; empty if nothing is.
struct Shown {
  std::string text;
  std::string failure = {};
};

/// A view, the options that are for it alone, and how many operands it takes.
struct View {
  std::string_view name;  // its switch; empty: a checkpoint is looked at
  std::size_t least, most;
  Shown (*show)(const base::Options& options);
  std::string_view options[2] = {};
};

Shown checkpoint_text(const base::Options& options) {
  if (options.flag("arrays") && options.flag("json"))
    throw base::UsageError("--json has the arrays anyway, without --arrays");
  const base::Report report(options);
  base::Progress progress(report, {.what = "looking", .unit = "weights"});
  const auto facts = facts_of_checkpoint(options.operands()[0], &progress);
  if (options.flag("json")) return {json_of(facts)};
  return {text_of(facts, options.flag("arrays") ? Detail::kArrays : Detail::kParts)};
}

Shown diff_text_of(const base::Options& options) {
  const base::Report report(options);
  base::Progress progress(report, {.what = "comparing", .unit = "weights"});
  return {diff_text(options.operands()[0], options.operands()[1], &progress)};
}

Shown attention_page_of(const base::Options& options) {
  const auto files = input_files(options);
  base::LineReader lines(files[0]);
  const base::Report report(options);
  base::Progress progress(
      report, {.what = "reading", .unit = "lines", .total_bytes = base::bytes_to_read(files)});
  return {attention_page(lines, &progress)};
}

Shown curves_of(const base::Options& options) {
  const auto over = over_named(options.text("over"));
  std::vector<RunLog> logs;
  for (const auto& path : input_files(options)) {
    base::LineReader lines(path);
    logs.push_back(read_log(lines));
  }
  return {curves_svg(logs, over)};
}

Shown devices_of(const base::Options& options) {
  const auto view = devices_view(options.text("device"));
  return {view.text, view.failure};
}

constexpr std::size_t kMany = 1000;

constexpr View kViews[] = {
    {"devices", 0, 0, devices_of},
    {"curves", 0, kMany, curves_of, {"over"}},
    {"attention", 0, 1, attention_page_of},
    {"diff", 2, 2, diff_text_of},
    {"", 1, 1, checkpoint_text, {"arrays", "json"}},
};

const View& view_of(const base::Options& options) {
  const View* chosen = nullptr;
  for (const auto& view : kViews) {
    if (view.name.empty() ? chosen != nullptr : !options.flag(view.name)) continue;
    if (chosen != nullptr)
      throw base::UsageError(base::concat("--", chosen->name, " or --", view.name, ", not both"));
    chosen = &view;
  }
  return *chosen;
}

/// UsageError for operands that the view does not take, and for options of other views.
void check_options(const base::Options& options, const View& view) {
  const auto count = options.operands().size();
  if (count < view.least) throw base::UsageError("missing operand");
  if (count > view.most) {
    throw base::UsageError(
        base::concat("operand '", options.operands()[view.most], "' is one too many"));
  }
  for (const auto& other : kViews) {
    for (const auto name : other.options) {
      if (name.empty() || std::ranges::find(view.options, name) != std::end(view.options)) continue;
      if (options.has(name)) {
        throw base::UsageError(view.name.empty()
                                   ? base::concat("--", name, " goes with --", other.name)
                                   : base::concat("--", name, " does not go with --", view.name));
      }
    }
  }
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const auto& view = view_of(options);
  check_options(options, view);
  const auto shown = view.show(options);
  base::OutputFile out(options.text("output"));
  out.write(shown.text);
  out.commit();
  if (!shown.failure.empty()) base::fail(shown.failure);
}

}  // namespace awend::tools
