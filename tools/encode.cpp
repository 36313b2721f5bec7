// encode: fills masks, assigns labels, finds answers or computes vectors with a model for given
// text.  Test: tests/cli/encode.sh.
#include "base/report.hpp"
#include "cli/option_rules.hpp"
#include "cli/progress.hpp"
#include "decode/device.hpp"
#include "decode/line_encoder.hpp"
#include "decode/loaded_encoder.hpp"
#include "decode/model_files.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "metric_check.hpp"
#include "model/checkpoint.hpp"
#include "nn/engine_start.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "setting_options.hpp"
#include "shaders/embedded.hpp"

namespace awend::tools {
namespace {

using decode::EncoderOutput;

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens",
                                       "-m FILE --vectors WHICH [OPTION]... [FILE]... < tokens"};

constexpr base::Word<decode::LineVector> kVectorWords[] = {{decode::LineVector::kMean, "mean"},
                                                           {decode::LineVector::kFirst, "first"}};
constexpr std::string_view kFormats[] = {"json", "npy"};

constexpr cli::Option kOptions[] = {
    {"model", 'm', "FILE", "", "checkpoint of a BERT, from train or average"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    {.help = "Output"},
    {"fill", 0, "", "", "replace each [MASK] with the most probable token"},
    {"label", 0, "", "", "print the label of each line, or of each of its tokens"},
    {"spans", 0, "", "", "print the answer to each question, in the passage after the tab"},
    {"vectors", 0, "WHICH", "",
     "print a vector for each line: mean of the outputs for its tokens, or first", "",
     base::texts_of<kVectorWords>},
    {"format", 0, "FORM", "json", "of vectors: json or npy", "", base::texts_of<kFormats>},
    {"attention", 0, "OUT", "",
     "write the attention weights of all heads; see inspect --attention"},
    {"n-best", 0, "N", "", "print the N best tokens, labels or answers with their probabilities"},
    {"max-answer-length", 0, "N", "30", "maximum tokens of an answer"},
    {"null-threshold", 0, "X", "",
     "print no answer if its score is above that of the best answer by more than X"},
    {.help = "Running"},
    {"batch-tokens", 0, "N", "4096", "maximum input tokens per batch"},
    kDeviceOption,
    kDeviceThreadsOption,
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
    .purpose = "Fill masks, assign labels, find answers or compute vectors with a BERT.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: lines to encode; default: stdin",
    .build = [] { return std::string(shaders::matrix_kernels_origin()); },
    .settings = kEncodeSettings,
};

decode::LineVector vector_of(const cli::Options& options) {
  if (!options.has("vectors")) return decode::LineVector::kNone;
  return options.choice<kVectorWords>("vectors");
}

/// Checks the options that do not depend on the model.
void check_output(const cli::Options& options) {
  const int kinds = (options.flag("fill") ? 1 : 0) + (options.flag("label") ? 1 : 0) +
                    (options.flag("spans") ? 1 : 0) + (options.has("vectors") ? 1 : 0);
  if (kinds > 1)
    throw base::UsageError("--fill, --label, --spans and --vectors exclude each other");
  cli::check_needs(options, {"format"}, {"vectors"}, "--vectors");
  cli::check_excludes(options, "vectors", {"n-best", "max-answer-length", "null-threshold"});
}

struct TaskOutput {
  EncoderOutput output;
  std::string_view option, trained_for;  ///< Trained for what, in words.
};

/// What a model prints unless vectors are requested.
TaskOutput output_of(const model::Config& config) {
  switch (config.bert.task) {
    case model::Task::kPretrain:
      return {EncoderOutput::kFilled, "fill", "masked tokens"};
    case model::Task::kSpans:
      return {EncoderOutput::kSpans, "spans", "answers"};
    case model::Task::kClassify:
    case model::Task::kTag:
      break;
  }
  return {EncoderOutput::kLabels, "label", "labels"};
}

/// The output that is requested, or that the model was trained for.
EncoderOutput output_of(const cli::Options& options, const store::ArrayFile& checkpoint,
                        const model::Config& config) {
  if (options.has("vectors"))
    return options.text("format") == "npy" ? EncoderOutput::kNpy : EncoderOutput::kJson;
  refuse_metric(config, checkpoint.path());
  const auto own = output_of(config);
  for (const std::string_view option : {"fill", "label", "spans"}) {
    if (options.flag(option) && option != own.option) {
      base::fail(checkpoint.path(), ": was trained for ", own.trained_for, ", not for --", option,
                 "; use --", own.option, ", or train with another --task");
    }
  }
  for (const std::string_view option : {"max-answer-length", "null-threshold"}) {
    if (options.has(option) && own.output != EncoderOutput::kSpans) {
      base::fail(checkpoint.path(), ": was trained for ", own.trained_for, ", but --", option,
                 " needs a model that was trained with --task spans");
    }
  }
  return own.output;
}

void encode(const cli::Options& options, decode::LineEncoder& lines, const base::Report& report) {
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, text_policy_of(options));
    lines.read(in);
    warn_of_input(report, in);
  }
  lines.finish();
  lines.inputs().warn_of_unknown(report, "the input", decode::kOtherVocabulary);
  if (lines.unmasked().count == 0) return;
  const auto text =
      base::concat(lines.unmasked().first,
                   ": no [MASK] to fill (lines without a mask: ", lines.unmasked().count, ")");
  options.flag("fill") ? report.warning(text) : report.note(text);
}

decode::AnswerSettings answers_of(const cli::Options& options) {
  decode::AnswerSettings settings{
      .longest = options.integer<std::uint32_t>("max-answer-length", {.min = 1, .max = 1 << 16})};
  if (options.has("null-threshold")) settings.null_threshold = options.real("null-threshold", {});
  return settings;
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  check_output(options);
  limit_device_threads(options);
  const auto device = device_options_of(options);
  const auto n_best =
      options.has("n-best") ? options.integer<std::uint32_t>("n-best", {.min = 1, .max = 1000}) : 0;
  const auto batch_tokens =
      options.integer<std::uint32_t>("batch-tokens", {.min = 1, .max = 1 << 24});
  const auto vector = vector_of(options);
  const auto answers = answers_of(options);
  const auto model_path = options.required("model");
  const auto checkpoint =
      open_model(model_path, [&] { return decode::open_checkpoint(model_path); });
  const auto config = model::read_config(*checkpoint);
  const auto vocabulary = decode::vocabulary_of(*checkpoint);
  report.note("model " + checkpoint->path());
  const auto output = output_of(options, *checkpoint, config);
  const auto engine = decode::open_device(device, report);
  decode::LoadedEncoder model(*engine, *checkpoint, device.precision);
  const bool has_spans = output == EncoderOutput::kSpans;
  const bool has_classes = vector == decode::LineVector::kNone && !has_spans;
  using Spans = decode::EncoderSettings::Spans;
  using Attention = decode::EncoderSettings::Attention;
  decode::SentenceEncoder encoder(
      *engine, model.view(),
      {.batch_tokens = batch_tokens,
       .candidates = has_classes ? std::max(n_best, 1u) : 0,
       .vector = vector,
       .spans = has_spans ? Spans::kScore : Spans::kIgnore,
       .attention = options.has("attention") ? Attention::kRecorded : Attention::kNone});
  nn::report_memory(*engine, report);
  base::OutputFile out(options.text("output"));
  const auto files = input_files(options);
  cli::Progress progress(report,
                         {.what = "encoding", .unit = "lines", .output = &out, .inputs = files});
  decode::LineEncoder lines(
      {.encoder = encoder, .config = config, .vocabulary = vocabulary, .out = out},
      {.output = output,
       .n_best = n_best,
       .batch_tokens = batch_tokens,
       .answers = answers,
       .attention_file = options.text("attention"),
       .after_lines = [&](std::uint64_t done) { progress.update({.done = done}); }});
  encode(options, lines, report);
  out.commit();
}

}  // namespace awend::tools
