// convert-model: converts models of other toolkits to checkpoints, and back.  Test:
// tests/cli/convert_model.sh.
#include <algorithm>

#include "base/error.hpp"
#include "base/report.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/export.hpp"
#include "interchange/read_model.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-o OUT DIR|FILE", "--to FORMAT -o DIR CHECKPOINT"};

constexpr base::Option kOptions[] = {
    {"output", 'o', "OUT", "", "write the checkpoint, or with --to the directory, OUT"},
    {"to", 0, "FORMAT", "",
     "write a checkpoint for another toolkit: ctranslate2, marian or huggingface", "",
     "ctranslate2 marian huggingface"},
};

constexpr base::ToolDescription kTool = {
    .name = "convert-model",
    .purpose = "Convert models of other toolkits to checkpoints, and back.",
    .usage = kUsage,
    .options = kOptions,
    .operands =
        "DIR or FILE: a model of Marian, Hugging Face (MarianMT, BERT), CTranslate2, fairseq, "
        "OpenNMT-py or Sockeye; CHECKPOINT: from train or average",
    .operands_min = 1,
};

void require_format(const std::string& format) {
  if (format == "ctranslate2" || format == "marian" || format == "huggingface") return;
  throw base::UsageError(
      base::concat("option '--to': '", format, "' must be ctranslate2, marian or huggingface"));
}

void export_model(const std::string& format, const std::string& input, const std::string& output) {
  require_format(format);
  const auto model = interchange::read_checkpoint(input);
  if (format == "ctranslate2") return interchange::write_ctranslate2_model(output, model);
  if (format == "marian") return interchange::write_marian_model(output, model);
  interchange::write_hugging_face_model(output, model);
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const auto output = options.required("output");
  if (options.operands().size() != 1) throw base::UsageError("expected one DIR or FILE");
  const auto& input = options.operands().front();
  const base::Report report(options);
  if (options.has("to")) return export_model(options.text("to"), input, output);
  interchange::ModelFiles files(input);
  const auto model = interchange::read_model(files);
  for (const auto& note : model.notes) report.note(note);
  interchange::write_checkpoint(output, model);
}

}  // namespace awend::tools
