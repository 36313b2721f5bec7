// encode: fills masks, assigns labels or computes vectors with a model for given text.  Test:
// tests/cli/encode.sh.
#include "base/report.hpp"
#include "cli/progress.hpp"
#include "decode/line_encoder.hpp"
#include "decode/loaded_encoder.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "model/checkpoint.hpp"
#include "nn/engine_start.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "setting_options.hpp"
#include "shaders/embedded.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

using decode::EncoderOutput;

constexpr double kManyUnknown = 0.01;

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens",
                                       "-m FILE --vectors WHICH [OPTION]... [FILE]... < tokens"};

constexpr base::Word<decode::LineVector> kVectorWords[] = {{decode::LineVector::kMean, "mean"},
                                                           {decode::LineVector::kFirst, "first"}};
constexpr std::string_view kFormats[] = {"json", "npy"};

constexpr cli::Option kOptions[] = {
    {"model", 'm', "FILE", "", "checkpoint of a BERT, from train or average"},
    {"output", 'o', "FILE", "-", "output file; - is stdout"},
    {.help = "Output"},
    {"fill", 0, "", "", "replace each [MASK] with the most probable token"},
    {"label", 0, "", "", "print the label of each line, or of each of its tokens"},
    {"vectors", 0, "WHICH", "",
     "print a vector for each line: mean of the outputs for its tokens, or first", "",
     base::texts_of<kVectorWords>},
    {"format", 0, "FORM", "json", "of vectors: json or npy", "", base::texts_of<kFormats>},
    {"n-best", 0, "N", "", "print the N best tokens or labels with their probabilities"},
    {.help = "Running"},
    {"batch-tokens", 0, "N", "4096", "maximum input tokens per batch"},
    kDeviceOption,
    kDeviceThreadsOption,
    kProductsOption,
    kPrecisionOption,
    kReplaceInvalidOption,
    kKeepBomOption,
};

constexpr base::SettingName kEncodeSettings[] = {
    {nn::kBatchTokens, "--batch-tokens"},
    {vulkan::kBatchSize, "--batch-tokens"},
    {nn::kBeamSize, "--n-best"},
};

constexpr cli::ToolDescription kTool = {
    .name = "encode",
    .purpose = "Fill masks, assign labels or compute vectors with a BERT, line by line.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: lines to encode; default: stdin",
    .build = [] { return std::string(shaders::matrix_kernels_origin()); },
    .settings = kEncodeSettings,
};

/// A checkpoint, its settings and its vocabulary.
struct Checkpoint {
  store::ArrayFile file;
  model::Config config;
  text::Vocabulary vocabulary;

  explicit Checkpoint(const std::string& path)
      : file(path),
        config(model::read_config(file)),
        vocabulary(text::Vocabulary::parse(file.metadata_at(store::keys::kVocabulary),
                                           path + ": vocabulary")) {
    if (vocabulary.size() == config.vocabulary) return;
    base::fail(path, ": the vocabulary has ", vocabulary.size(), " pieces, but the model has ",
               config.vocabulary);
  }
};

decode::LineVector vector_of(const cli::Options& options) {
  if (!options.has("vectors")) return decode::LineVector::kNone;
  return options.choice<kVectorWords>("vectors");
}

/// Checks the options that do not depend on the model.
void check_output(const cli::Options& options) {
  const int kinds = (options.flag("fill") ? 1 : 0) + (options.flag("label") ? 1 : 0) +
                    (options.has("vectors") ? 1 : 0);
  if (kinds > 1) throw base::UsageError("--fill, --label and --vectors exclude each other");
  const auto format = options.text("format");
  if (format == "npy" && !options.has("vectors"))
    throw base::UsageError("--format npy needs --vectors");
  if (options.has("n-best") && options.has("vectors"))
    throw base::UsageError("--n-best and --vectors exclude each other");
}

/// The output that is requested, or that the model was trained for.
EncoderOutput output_of(const cli::Options& options, const Checkpoint& checkpoint) {
  if (options.has("vectors"))
    return options.text("format") == "npy" ? EncoderOutput::kNpy : EncoderOutput::kJson;
  const bool has_labels = !checkpoint.config.bert.labels.empty();
  if (options.flag("fill") && has_labels) {
    base::fail(checkpoint.file.path(),
               ": was trained for labels and does not predict tokens; use --label");
  }
  if (options.flag("label") && !has_labels) {
    base::fail(checkpoint.file.path(),
               ": was not trained for labels; use --fill, or train --task classify");
  }
  return has_labels ? EncoderOutput::kLabels : EncoderOutput::kFilled;
}

/// Many unknown tokens suggest that the input belongs to another vocabulary.
void warn_of_unknown(const base::Report& report, const decode::UnknownTokens& tokens) {
  if (tokens.unknown() == 0) return;
  const auto text = "the input: " + tokens.report();
  const bool are_many =
      static_cast<double>(tokens.unknown()) > kManyUnknown * static_cast<double>(tokens.tokens());
  if (!are_many) return report.note(text);
  report.warning(text + "; was the text tokenized with the vocabulary of the model?");
}

void encode(const cli::Options& options, decode::LineEncoder& lines, const base::Report& report) {
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, text_policy_of(options));
    lines.read(in);
    warn_of_input(report, in);
  }
  lines.finish();
  warn_of_unknown(report, lines.inputs());
  if (lines.unmasked().count == 0) return;
  const auto text =
      base::concat(lines.unmasked().first,
                   ": no [MASK] to fill (lines without a mask: ", lines.unmasked().count, ")");
  options.flag("fill") ? report.warning(text) : report.note(text);
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  check_output(options);
  limit_device_threads(options);
  const auto precision = precision_of(options);
  const auto products = products_of(options);
  const auto n_best =
      options.has("n-best")
          ? static_cast<std::uint32_t>(options.integer("n-best", {.min = 1, .max = 1000}))
          : 0;
  const auto batch_tokens =
      static_cast<std::uint32_t>(options.integer("batch-tokens", {.min = 1, .max = 1 << 24}));
  const auto vector = vector_of(options);
  const auto model_path = options.required("model");
  const auto checkpoint =
      open_model(model_path, [&] { return Checkpoint(store::model_file(model_path)); });
  report.note("model " + checkpoint.file.path());
  const auto output = output_of(options, checkpoint);
  nn::Engine engine(options.text("device"));
  nn::start(engine,
            {.products = products, .threads = device_threads_of(options), .precision = precision},
            report);
  decode::LoadedEncoder model(engine, checkpoint.file, precision);
  const bool predicts = vector == decode::LineVector::kNone;
  decode::SentenceEncoder encoder(engine, model.view(),
                                  {.batch_tokens = batch_tokens,
                                   .candidates = predicts ? std::max(n_best, 1u) : 0,
                                   .vector = vector});
  nn::report_memory(engine, report);
  base::OutputFile out(options.text("output"));
  const auto files = input_files(options);
  cli::Progress progress(report,
                         {.what = "encoding", .unit = "lines", .output = &out, .inputs = files});
  decode::LineEncoder lines(
      {.encoder = encoder,
       .config = checkpoint.config,
       .vocabulary = checkpoint.vocabulary,
       .out = out},
      {.output = output,
       .n_best = n_best,
       .batch_tokens = batch_tokens,
       .after_lines = [&](std::uint64_t done) { progress.update({.done = done}); }});
  encode(options, lines, report);
  out.commit();
}

}  // namespace awend::tools
