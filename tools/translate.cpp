// translate: translates token lines, or raw text, with a trained model (section 6.1 of the paper).
// Test: tests/cli/translate.sh.
#include <algorithm>
#include <optional>

#include "base/report.hpp"
#include "cli/option_rules.hpp"
#include "cli/progress.hpp"
#include "decode/line_scorer.hpp"
#include "decode/line_translator.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "setting_options.hpp"
#include "shaders/embedded.hpp"
#include "translate_markup.hpp"
#include "translate_settings.hpp"
#include "translate_view.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens",
                                       "-m FILE --raw [OPTION]... [FILE]... < text > text"};

constexpr cli::Option kModelOptions[] = {
    {"model", 'm', "FILE", "", "checkpoint, from train or average; A,B is an ensemble"},
    {"ensemble", 0, "MEAN", "linear",
     "average the models of an ensemble linearly or in log space: linear or log", "",
     base::texts_of<kMixingWords>},
    {"ensemble-weights", 0, "LIST", "", "ensemble: weights of the models, W,W; default: equal"},
    {"raw", 0, "", "",
     "translate raw text: tokenize and detokenize with the vocabulary of the model"},
    {"source-language", 0, "CODE", "",
     "language of the lines, such as deu_Latn, de_DE or de; default: token lines begin with it"},
    {"target-language", 0, "CODE", "", "language of the translations, of those that inspect lists"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
};

// After the settings that models may have.
constexpr cli::Option kSearchOptions[] = {
    {"prefix", 0, "FILE", "", "target prefixes, one token line per input line"},
    {"shortlist", 0, "FILE", "",
     "restrict the output to the tokens in FILE, or for each line by the lexical shortlist "
     "FILE[,FIRST,BEST[,THRESHOLD]]; off: also without that of the model"},
};

constexpr cli::Option kSamplingOptions[] = {
    {"sample", 0, "", "", "sample tokens instead of using beam search"},
    {"temperature", 0, "T", "1", "softmax temperature; 0 = the most probable token"},
    {"top-k", 0, "N", "0", "sample from the N most probable tokens; 0 = all"},
    {"top-p", 0, "P", "1", "sample from the smallest set of tokens with cumulative probability P"},
    {"seed", 0, "N", "1", "random seed"},
};

constexpr cli::Option kOutputOptions[] = {
    {"n-best", 0, "N", "",
     "print the N best translations or N samples of each line: line ||| tokens ||| ..."},
    {"scores", 0, "", "", "prefix each line with its score and a tab"},
    {"word-scores", 0, "", "",
     "prefix each line with the log-probabilities of its tokens and end, and a tab"},
    {"json", 0, "", "", "print a JSON object with tokens and scores per line; also with --n-best"},
    {"target", 0, "FILE", "",
     "score these translations, or this n-best list, instead of translating"},
    {"attention", 0, "OUT", "", "write the attention weights of all layers and heads, for inspect"},
    {"alignment", 0, "", "", "append ||| and aligned pairs of source and target tokens"},
    {"alignment-form", 0, "FORM", "hard", "hard, soft, or a threshold for the attention weight", "",
     base::texts_of<decode::AlignmentSettings::kFormWords>, nullptr, cli::OtherValues::kAccepted},
    {"alignment-layer", 0, "N", "",
     "decoder layer of the alignment; default: guided, or second-to-last"},
    {"alignment-words", 0, "", "", "align words instead of tokens"},
    {"replace-unknown", 0, "", "", "replace unknown tokens with the aligned source tokens"},
};

constexpr cli::Option kRunOptions[] = {
    {"max-input-length", 0, "N", "1024", "split lines that are longer than N tokens"},
    {"batch-tokens", 0, "N", "", "maximum input tokens per batch; default: depends on memory"},
    {"unbuffered", 'u', "", "", "write the translation of each line before reading the next"},
    kDeviceOption,
    kDeviceThreadsOption,
    kPrecisionOption,
    kReplaceInvalidOption,
    kKeepBomOption,
};

std::vector<cli::Option> all_options() {
  constexpr std::string_view kRunning = "Running";
  static OptionTable table;
  const auto add = [](std::string_view group, std::span<const cli::Option> options) {
    for (const auto& option : options) table.add(group, option);
  };
  add("", kModelOptions);
  add_search_options(table);
  add("Search", kSearchOptions);
  add("Sampling", kSamplingOptions);
  add("Output", kOutputOptions);
  add("Markup", markup_options());
  add(kRunning, kRunOptions);
  return table.rows(kRunning);
}

std::string_view advice_of(const cli::Options& options) {
  return options.flag("raw") ? "" : decode::kOtherVocabulary;
}

/// The checkpoints of all values of --model.
std::vector<decode::Checkpoint> open_checkpoints(const cli::Options& options) {
  options.required("model");
  std::vector<decode::Checkpoint> checkpoints;
  for (const auto& path : options.list("model"))
    checkpoints.push_back(open_model(path, [&] { return decode::open_checkpoint(path); }));
  if (checkpoints.size() == 1)
    cli::check_needs(options, {"ensemble", "ensemble-weights"}, {}, "several models");
  return checkpoints;
}

/// Throws UsageError if a language is missing that no line can tell.
void require_languages(const cli::Options& options, const decode::TranslationModel::Parts& model) {
  const auto require = [](const decode::LineLanguage& language, bool is_told,
                          std::string_view option) {
    if (!language.is_needed() || language.is_known() || is_told) return;
    throw base::UsageError(
        base::concat("the model has several languages: --", option, " is required"));
  };
  const bool is_raw = options.flag("raw");
  require(model.source_language, !is_raw, "source-language");
  require(model.target_language, !is_raw && (options.has("prefix") || options.has("target")),
          "target-language");
}

/// --target: scores given translations.
void score_lines(const cli::Options& options, const decode::ScorerSettings& settings,
                 decode::TranslationModel::Parts& model, base::OutputFile& out) {
  const auto files = input_files(options);
  if (files.size() > 1) throw base::UsageError("--target takes one input file");
  base::LineReader sources(files.front(), text_policy_of(options)),
      targets(options.text("target"), text_policy_of(options));
  decode::LineScorer(model, out, settings).run(sources, targets);
  warn_of_input(model.report, sources);
  warn_of_input(model.report, targets);
  model.sources.warn_of_unknown(model.report, sources.name(), advice_of(options));
  model.targets.warn_of_unknown(model.report, targets.name(), advice_of(options));
}

/// Measures how much of all inputs is done.
class Reading {
 public:
  void begin(const base::LineReader& in) { in_ = &in; }
  void end() {
    before_bytes_ = read_bytes();
    before_lines_ = read_lines();
    in_ = nullptr;
  }
  /// About the bytes of the first lines of those read.  Decoders read far ahead of the answers.
  std::uint64_t bytes_of(std::uint64_t lines) const {
    return read_bytes() * lines / std::max<std::uint64_t>(read_lines(), 1);
  }

 private:
  std::uint64_t read_bytes() const { return before_bytes_ + (in_ ? in_->position_bytes() : 0); }
  std::uint64_t read_lines() const { return before_lines_ + (in_ ? in_->line_number() : 0); }

  const base::LineReader* in_ = nullptr;
  std::uint64_t before_bytes_ = 0, before_lines_ = 0;
};

/// What is written.
struct Request {
  decode::Output output;
  std::optional<decode::MarkupSettings> markup;
};

/// Translates all inputs as one stream of lines.
void translate_lines(const cli::Options& options, const Request& request,
                     decode::TranslationModel::Parts& model, base::OutputFile& out) {
  model.translator();  // takes its memory before files are opened
  const auto files = input_files(options);
  cli::Progress progress(model.report,
                         {.what = "translating", .unit = "lines", .output = &out, .inputs = files});
  Reading reading;
  std::optional<base::LineReader> prefixes;
  if (options.has("prefix")) prefixes.emplace(options.text("prefix"), text_policy_of(options));
  decode::LineTranslator lines(
      model, out,
      {.form = line_form_of(options),
       .output = request.output,
       .pace = options.flag("unbuffered") ? decode::Pace::kLineByLine : decode::Pace::kStream,
       .prefixes = prefixes ? &*prefixes : nullptr,
       .markup = request.markup ? &*request.markup : nullptr,
       .after_lines = [&](std::uint64_t done) {
         progress.update({.done = done, .bytes = reading.bytes_of(done)});
       }});
  for (const auto& path : files) {
    auto in = lines.open(path, text_policy_of(options));
    reading.begin(in);
    lines.read(in);
    reading.end();
    warn_of_input(model.report, in);
  }
  lines.finish();
  model.sources.warn_of_unknown(model.report, "the input", advice_of(options));
}

}  // namespace

const cli::ToolDescription& tool() {
  static const std::vector<cli::Option> kOptions = all_options();
  static const cli::ToolDescription kTool = {
      .name = "translate",
      .purpose = "Translate token lines or raw text, line by line.",
      .usage = kUsage,
      .options = kOptions,
      .operands = "FILE: lines to translate; default: stdin",
      .build = [] { return std::string(shaders::matrix_kernels_origin()); },
      .settings = kTranslateSettings,
  };
  return kTool;
}

void run(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  limit_device_threads(options);
  const Request request{.output = output_of(options), .markup = markup_settings_of(options)};
  const auto view = view_settings_of(options, request.markup ? Markup::kKeep : Markup::kNone);
  const auto scorer = scorer_settings_of(options, request.output);
  const auto open_options = open_options_of(options, report);
  auto opened = decode::open(open_checkpoints(options), open_options);
  auto& model = opened.parts();
  require_languages(options, model);
  if (view.is_needed()) model.annotate(view);
  base::OutputFile out(options.text("output"));
  scorer ? score_lines(options, *scorer, model, out)
         : translate_lines(options, request, model, out);
  if (model.view) model.view->close();
  out.commit();
}

}  // namespace awend::tools
