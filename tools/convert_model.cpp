// convert-model: converts models of other toolkits to checkpoints, and back.  Test:
// tests/cli/convert_model.sh.
#include <algorithm>
#include <filesystem>
#include <span>

#include "base/error.hpp"
#include "base/report.hpp"
#include "cli/option_rules.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/comet.hpp"
#include "interchange/export.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/keep_tokens.hpp"
#include "interchange/read_model.hpp"
#include "model/weight_layout.hpp"
#include "output_check.hpp"
#include "run_tool.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-o OUT DIR|FILE", "--encoder DIR -o OUT COMET-DIR",
                                       "--to FORMAT -o DIR CHECKPOINT"};

using Write = void (*)(const std::string& directory, const interchange::ConvertedModel& model);
struct Format {
  std::string_view text;                    // of --to
  std::span<const std::string_view> files;  // of the directory, which may be replaced or removed
  Write write, write_int8;                  // no function: the format does not have this form
};
constexpr std::string_view kMarianFiles[] = {"model.bin", "model.intgemm8.bin"},
                           kFirefoxFiles[] = {"model.intgemm.alphas.bin", "model.intgemm8.bin"};
constexpr Format kFormats[] = {
    {"ctranslate2", interchange::kCTranslate2Files, interchange::write_ctranslate2_model, nullptr},
    {"marian", kMarianFiles, interchange::write_marian_model, interchange::write_marian_int8_model},
    {"firefox", kFirefoxFiles, nullptr, interchange::write_firefox_model},
    {"huggingface", interchange::kHuggingFaceFiles, interchange::write_hugging_face_model, nullptr},
};

constexpr cli::Option kOptions[] = {
    {"output", 'o', "OUT", "", "write the checkpoint, or with --to the directory, OUT"},
    {"to", 0, "FORMAT", "",
     "write a checkpoint for another toolkit: ctranslate2, marian, firefox or huggingface", "",
     base::texts_of<kFormats>},
    {"quantize", 0, "TYPE", "none",
     "quantize the matrices of the checkpoint, or with --to marian of that model: none or int8", "",
     base::texts_of<store::kStorageWords>},
    {"keep-tokens", 0, "FILE", "",
     "remove all tokens from the vocabulary that are not in FILE, a list or token lines"},
    {"encoder", 0, "DIR", "",
     "directory of the pretrained encoder of a COMET model, which has its tokenizer"},
    {"as-marian", 0, "", "",
     "compute positions and norms of a MarianMT as Marian did in training, not as transformers"},
    {"source-end", 0, "SWITCH", "",
     "append the end of the sentence to the source: on or off; default: as the files tell", "",
     base::texts_of<model::kSwitchWords>},
};

constexpr cli::ToolDescription kTool = {
    .name = "convert-model",
    .purpose = "Convert models of other toolkits to checkpoints, and back.",
    .usage = kUsage,
    .options = kOptions,
    .operands =
        "DIR or FILE: a model of Marian, Hugging Face (MarianMT, NLLB, M2M100, mBART, T5, MADLAD, "
        "BERT, XLM-RoBERTa), CTranslate2, fairseq, OpenNMT-py, Sockeye or COMET; CHECKPOINT: from "
        "train or average",
    .operands_min = 1,
};

/// The form of the format that --quantize asks for, or the only one.
Write writer_of(const cli::Options& options, const Format& format) {
  if (!options.has("quantize")) return format.write ? format.write : format.write_int8;
  const auto storage = options.choice<store::kStorageWords>("quantize");
  const auto write = storage == store::Storage::kInt8 ? format.write_int8 : format.write;
  if (!write)
    throw base::UsageError(
        base::concat("--to ", format.text, " excludes --quantize ", options.text("quantize")));
  return write;
}

void export_model(const cli::Options& options, const base::Report& report) {
  const auto input = store::model_file(options.operands().front());
  const auto output = options.required("output");
  const auto& format = *std::ranges::find(kFormats, options.text("to"), &Format::text);
  const auto write = writer_of(options, format);
  for (const auto name : format.files)
    require_own_file((std::filesystem::path(output) / name).string(), {&input, 1});
  const auto model = interchange::read_checkpoint(input);
  try {
    write(output, model);
  } catch (const interchange::Inexpressible& error) {
    base::fail(input, ": ", error.what());
  }
  const bool is_marian = format.text == "marian" || format.text == "firefox";
  if (!is_marian && model.shortlist) report.note(input + ": its lexical shortlist is not written");
  if (write != interchange::write_firefox_model && !model.activation_scales.empty())
    report.note(input + ": its activation scales are not written");
  const bool is_bert = model::layout_of(model.config.architecture) == model::WeightLayout::kBert;
  if (format.text == "huggingface" && !is_bert && model.vocabulary->content().model.empty())
    report.warning(input +
                   ": its vocabulary has no SentencePiece model, without which transformers "
                   "does not split text");
  if (!is_marian) return;
  if (const auto difference = interchange::marian_difference(model.config))
    report.warning(base::concat(input, ": ", *difference));
}

/// The model of another toolkit.  Throws Error that tells what to do with a checkpoint instead.
interchange::ConvertedModel read_foreign(interchange::ModelFiles& files, const std::string& path,
                                         const interchange::ReadOptions& read) {
  try {
    return interchange::read_model(files, read);
  } catch (const base::Error&) {
    const bool is_checkpoint =
        files.named() ? store::looks_like_checkpoint(path) : !store::list_checkpoints(path).empty();
    if (!is_checkpoint) throw;
    base::fail(path, ": already a checkpoint; --to FORMAT converts it for another toolkit");
  }
}

/// Reads a model, and throws Error if the output would replace one of its files.
interchange::ConvertedModel read_input(const cli::Options& options,
                                       const interchange::ReadOptions& read) {
  const auto output = options.required("output");
  const auto& input = options.operands().front();
  interchange::ModelFiles files(input);
  const bool is_comet = !files.named() && interchange::looks_like_comet(files);
  if (!options.has("encoder")) {
    if (is_comet)
      base::fail(input, ": a COMET model; give the directory of its encoder with --encoder DIR");
    auto model = read_foreign(files, input, read);
    require_own_file(output, files.paths_read());
    return model;
  }
  if (!is_comet)
    base::fail(input, ": --encoder needs a COMET model, a directory with hparams.yaml");
  interchange::ModelFiles checkpoints((std::filesystem::path(input) / "checkpoints").string()),
      encoder(options.text("encoder"));
  auto model = interchange::read_comet({files, checkpoints, encoder});
  for (const auto* each : {&files, &checkpoints, &encoder})
    require_own_file(output, each->paths_read());
  return model;
}

/// --keep-tokens
void trim(const std::string& path, const std::string& output, interchange::ConvertedModel& model,
          const base::Report& report) {
  require_own_file(output, {&path, 1});
  base::LineReader in(path);
  const auto tokens = interchange::tokens_in(in);
  const auto [before, after] =
      base::with_name(in.name(), [&] { return interchange::keep_tokens(model, tokens); });
  report.note(base::concat("kept ", after, " of ", before, " tokens"));
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const auto output = options.required("output");
  if (options.operands().size() != 1) throw base::UsageError("expected one DIR or FILE");
  const base::Report report = cli::report_for(options);
  interchange::ReadOptions read;
  if (options.has("source-end"))
    read.source_end = base::value_of<model::kSwitchWords>(options.text("source-end"));
  if (options.flag("as-marian")) read.marian_mt = interchange::ReadOptions::MarianMt::kAsMarian;
  if (options.has("to")) {
    if (options.has("encoder")) throw base::UsageError("--encoder is for COMET models");
    if (read.source_end) throw base::UsageError("--source-end is for models of other toolkits");
    for (const auto* name : {"keep-tokens", "as-marian"}) {
      if (options.has(name) || options.flag(name))
        throw base::UsageError(base::concat("--", name, " is for models of other toolkits"));
    }
    return export_model(options, report);
  }
  cli::check_excludes(options, "encoder", {"source-end", "as-marian"});
  auto model = read_input(options, read);
  for (const auto& note : model.notes) report.note(note);
  for (const auto& warning : model.warnings) report.warning(warning);
  if (model.assumed_source_end)
    report.warning(*model.assumed_source_end + "; use --source-end off if it should not be");
  if (options.has("keep-tokens")) trim(options.text("keep-tokens"), output, model, report);
  interchange::write_checkpoint(output, model, options.choice<store::kStorageWords>("quantize"));
}

}  // namespace awend::tools
