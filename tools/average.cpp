// average: checkpoints in, their mean out (the paper, section 6.1).  Test: tests/cli/average.sh.
#include "store/average.hpp"

#include "base/progress.hpp"
#include "run_tool.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-o OUT FILE...", "-o OUT --last N DIR"};

constexpr base::Option kOptions[] = {
    {"output", 'o', "OUT", "", "the checkpoint to write"},
    {"quantize", 0, "TYPE", "none", "what weights are stored as: none (fp32) or int8, a quarter",
     "", "none int8"},
    {"last", 'n', "N", "", "take the N checkpoints of the highest steps in the folder DIR"},
};

constexpr base::ToolDescription kTool = {
    .name = "average",
    .purpose = "Write the mean of checkpoints as a checkpoint.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: a checkpoint; DIR: a folder that train wrote",
    .operands_min = 1,
};

std::vector<std::string> last_checkpoints(const std::string& directory, std::size_t count) {
  const auto found = store::list_checkpoints(directory);
  if (found.size() < count)
    base::fail(directory, ": ", found.size(), " checkpoints, ", count, " asked for");
  std::vector<std::string> paths;
  for (auto i = found.end() - static_cast<std::ptrdiff_t>(count); i != found.end(); ++i)
    paths.push_back(i->weights);
  return paths;
}

std::vector<std::string> inputs_of(const base::Options& options) {
  if (!options.has("last")) return options.operands();
  const auto count = options.integer("last", {.min = 1});
  if (options.operands().size() != 1) throw base::UsageError("with --last there is one folder");
  return last_checkpoints(options.operands()[0], static_cast<std::size_t>(count));
}

store::Storage storage_of(const base::Options& options) {
  const auto type = options.text("quantize");
  if (type == "int8") return store::Storage::kInt8;
  if (type != "none")
    throw base::UsageError(
        base::concat("option '--quantize': '", type, "' is neither none nor int8"));
  return store::Storage::kFloat32;
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const auto output = options.required("output");
  const auto inputs = inputs_of(options);
  const base::Report report(options);
  base::Progress progress(report, {.what = "averaging", .unit = "weights"});
  store::average(
      inputs, output,
      {.storage = storage_of(options), .progress = [&](auto done, auto total) {
         progress.update(
             {.done = done, .share = static_cast<double>(done) / static_cast<double>(total)});
       }});
  for (const auto& path : inputs) report.note("averaged " + path);
}

}  // namespace awend::tools
