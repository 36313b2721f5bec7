// translate: token lines in, token lines of the other language out (the paper, section 6.1).  Test:
// tests/cli/translate.sh.
#include "base/progress.hpp"
#include "base/report.hpp"
#include "decode/line_translator.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "model/checkpoint.hpp"
#include "nn/matrix_check.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "shaders/embedded.hpp"
#include "store/array_file.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens"};

constexpr base::Option kOptions[] = {
    {"model", 'm', "FILE", "", "the checkpoint, from train or average"},
    {"output", 'o', "FILE", "-", "where translations go; - is stdout"},
    {.help = "Search"},
    {"beam-size", 'b', "N", "4", "hypotheses that are kept at each step"},
    {"alpha", 0, "A", "0.6", "length penalty: ln P / ((5 + length) / 6)^A"},
    {"max-length-ratio", 0, "R", "1", "longest output: R times the input's tokens ..."},
    {"max-length-extra", 0, "N", "50", "... and N more"},
    {.help = "Output"},
    {"n-best", 0, "N", "", "the N best of each line: line ||| tokens ||| logprob= x ||| score"},
    {"scores", 0, "", "", "put the score and a tab in front of each line"},
    {.help = "Running"},
    {"batch-tokens", 0, "N", "4096",
     "most input tokens of a batch; a longer line is cut in pieces"},
    kDeviceOption,
    kPrecisionOption,
    kReplaceInvalidOption,
};

constexpr base::ToolDescription kTool = {
    .name = "translate",
    .purpose = "Translates token lines by beam search, line by line.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: token lines to translate; none: stdin",
    .build = [] { return std::string(shaders::matrix_kernels_origin()); },
};

constexpr double kManyUnknown = 0.01;

std::uint32_t count_of(const base::Options& options, std::string_view name, std::int64_t least,
                       std::int64_t most) {
  return static_cast<std::uint32_t>(options.integer(name, {.min = least, .max = most}));
}

decode::TranslatorSettings settings_of(const base::Options& options) {
  decode::TranslatorSettings settings;
  auto& search = settings.search;
  search.beam_size = count_of(options, "beam-size", 1, 256);
  search.alpha = options.real("alpha", {.min = 0, .max = 100});
  search.max_length_ratio = options.real("max-length-ratio", {.min = 0, .max = 1000});
  search.max_length_extra = count_of(options, "max-length-extra", 0, 1'000'000);
  if (options.has("n-best")) search.n_best = count_of(options, "n-best", 1, 256);
  settings.batch_tokens = count_of(options, "batch-tokens", 2, 60'000);
  settings.precision = precision_of(options);
  return settings;
}

decode::Output output_of(const base::Options& options) {
  if (options.has("n-best")) return decode::Output::kNBest;
  return options.flag("scores") ? decode::Output::kScores : decode::Output::kText;
}

void warn_of_unknown(const base::Report& report, const decode::LineCounts& counts,
                     const std::string& model) {
  if (static_cast<double>(counts.unknown_pieces) <=
      kManyUnknown * static_cast<double>(counts.pieces))
    return;
  report.warning(base::concat(counts.unknown_pieces, " of ", counts.pieces,
                              " pieces are unknown to the vocabulary of ", model,
                              ": was the input tokenized with it?"));
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  const std::string model = options.required("model");
  auto settings = settings_of(options);
  const store::ArrayFile checkpoint(model);
  const auto vocabulary = text::Vocabulary::parse(checkpoint.metadata_at(store::keys::vocabulary),
                                                  model + ": vocabulary");
  if (vocabulary.size() != model::read_config(checkpoint).vocabulary) {
    base::fail(model, ": the vocabulary of ", vocabulary.size(),
               " pieces does not fit the model, which has ",
               model::read_config(checkpoint).vocabulary);
  }
  settings.end_of_sentence = vocabulary.end_of_sentence();
  nn::Engine engine(options.text("device"));
  report.note(engine.device.description());
  if (!engine.device.caution().empty()) report.warning(engine.device.caution());
  const auto distrust = nn::check_matrix_units(engine, settings.precision);
  if (!distrust.empty()) report.warning(distrust);
  decode::Translator translator(engine, checkpoint, settings);
  decode::LineTranslator lines(translator, vocabulary, output_of(options), report);
  base::OutputFile out(options.text("output"));
  base::Progress progress(report, {.what = "translating", .unit = "lines", .total = 0});
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, invalid_utf8_of(options));
    lines.run(in, out, [&] { progress.update(lines.counts().lines); });
    warn_of_input(report, in);
  }
  out.commit();
  warn_of_unknown(report, lines.counts(), model);
}

}  // namespace awend::tools
