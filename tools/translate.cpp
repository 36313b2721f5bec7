// translate: translates token lines, or raw text, with a trained model (section 6.1 of the paper).
// Test: tests/cli/translate.sh.
#include <optional>
#include <utility>

#include "base/report.hpp"
#include "cli/progress.hpp"
#include "decode/line_translator.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "nn/engine_start.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "setting_options.hpp"
#include "shaders/embedded.hpp"
#include "translate_models.hpp"
#include "translate_settings.hpp"
#include "translate_view.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens",
                                       "-m FILE --raw [OPTION]... [FILE]... < text > text"};

constexpr cli::Option kOptions[] = {
    {"model", 'm', "FILE", "", "checkpoint, from train or average; A,B is an ensemble"},
    {"ensemble", 0, "MEAN", "linear",
     "average the models of an ensemble linearly or in log space: linear or log", "",
     base::texts_of<kMixingWords>},
    {"ensemble-weights", 0, "LIST", "", "ensemble: weights of the models, W,W; default: equal"},
    {"raw", 0, "", "",
     "translate raw text: tokenize and detokenize with the vocabulary of the model"},
    {"output", 'o', "FILE", "-", "output file; - is stdout"},
    {.help = "Search"},
    {"beam-size", 'b', "N", "4", "beam size"},
    {"alpha", 0, "A", "0.6", "length penalty: ln P / ((5 + length) / 6)^A"},
    {"length-penalty", 0, "FORM", "gnmt",
     "form of the length penalty: gnmt, as above, or power, length^A", "",
     base::texts_of<kLengthPenaltyWords>},
    {"max-length-ratio", 0, "R", "1", "maximum output length: R times the input length ..."},
    {"max-length-extra", 0, "N", "50", "... plus N tokens"},
    {"min-length-ratio", 0, "R", "0", "minimum output length: R times the input length ..."},
    {"min-length-extra", 0, "N", "0", "... plus N tokens"},
    {"no-repeat-ngram", 0, "N", "0", "forbid repeated N-grams; 0 = off"},
    {"repetition-penalty", 0, "P", "1",
     "penalize generated tokens: divide positive logits by P, multiply negative ones"},
    {"unknown-penalty", 0, "P", "0", "subtract P from the logit of the unknown token"},
    {"unknown-tokens", 0, "SWITCH", "on", "unknown tokens in translations: on, or off as in Marian",
     "", base::texts_of<kUnknownTokenWords>},
    {"prefix", 0, "FILE", "", "target prefixes, one token line per input line"},
    {"shortlist", 0, "FILE", "", "restrict the output to the tokens in FILE, one per line"},
    {.help = "Sampling"},
    {"sample", 0, "", "", "sample tokens instead of using beam search"},
    {"temperature", 0, "T", "1", "softmax temperature; 0 = the most probable token"},
    {"top-k", 0, "N", "0", "sample from the N most probable tokens; 0 = all"},
    {"top-p", 0, "P", "1", "sample from the smallest set of tokens with cumulative probability P"},
    {"seed", 0, "N", "1", "random seed"},
    {.help = "Output"},
    {"n-best", 0, "N", "",
     "print the N best translations or N samples of each line: line ||| tokens ||| ..."},
    {"scores", 0, "", "", "prefix each line with its score and a tab"},
    {"word-scores", 0, "", "",
     "prefix each line with the log-probabilities of its tokens and end, and a tab"},
    {"json", 0, "", "", "print a JSON object with tokens and scores per line; also with --n-best"},
    {"target", 0, "FILE", "",
     "score these translations, or this n-best list, instead of translating"},
    {"attention", 0, "FILE", "",
     "write the attention weights of all layers and heads, for inspect"},
    {"alignment", 0, "", "", "append ||| and aligned pairs of source and target tokens"},
    {"alignment-form", 0, "FORM", "hard", "hard, soft, or a threshold for the attention weight", "",
     base::texts_of<kAlignmentForms>, nullptr, cli::OtherValues::kAccepted},
    {"alignment-layer", 0, "N", "", "decoder layer of the alignment; default: second-to-last"},
    {"alignment-words", 0, "", "", "align words instead of tokens"},
    {"replace-unknown", 0, "", "", "replace unknown tokens with the aligned source tokens"},
    {.help = "Running"},
    {"max-input-length", 0, "N", "1024", "split lines that are longer than N tokens"},
    {"batch-tokens", 0, "N", "", "maximum input tokens per batch; default: depends on memory"},
    {"unbuffered", 'u', "", "", "write the translation of each line before reading the next"},
    kDeviceOption,
    kDeviceThreadsOption,
    kProductsOption,
    kPrecisionOption,
    kReplaceInvalidOption,
    kKeepBomOption,
};

constexpr cli::ToolDescription kTool = {
    .name = "translate",
    .purpose = "Translate token lines or raw text, line by line.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "FILE: lines to translate; default: stdin",
    .build = [] { return std::string(shaders::matrix_kernels_origin()); },
    .settings = kTranslateSettings,
};

constexpr double kManyUnknown = 0.01;

/// Reports unknown tokens.  Many of them suggest that the input belongs to another vocabulary.
void warn_of_unknown(const base::Report& report, const decode::UnknownTokens& tokens,
                     const std::string& what, std::string_view advice) {
  if (tokens.unknown() == 0) return;
  const auto text = what + ": " + tokens.report();
  const bool many =
      static_cast<double>(tokens.unknown()) > kManyUnknown * static_cast<double>(tokens.tokens());
  if (many) {
    report.warning(base::concat(text, advice));
  } else {
    report.note(text);
  }
}

std::string_view advice_of(const cli::Options& options) {
  return options.flag("raw") ? "" : "; was the text tokenized with the vocabulary of the model?";
}

/// --target: scores given translations.
void score_lines(const cli::Options& options, decode::LineScorer& scorer,
                 const base::Report& report) {
  const auto files = input_files(options);
  if (files.size() > 1) throw base::UsageError("--target takes one input file");
  base::LineReader sources(files.front(), text_policy_of(options)),
      targets(options.text("target"), text_policy_of(options));
  scorer.run(sources, targets);
  warn_of_input(report, sources);
  warn_of_input(report, targets);
  warn_of_unknown(report, scorer.sources(), sources.name(), advice_of(options));
  warn_of_unknown(report, scorer.targets(), targets.name(), advice_of(options));
}

/// Counts the bytes read from all inputs.
class Reading {
 public:
  void begin(const base::LineReader& in) { in_ = &in; }
  void end() { before_bytes_ += std::exchange(in_, nullptr)->position_bytes(); }
  std::uint64_t bytes() const { return before_bytes_ + (in_ ? in_->position_bytes() : 0); }

 private:
  const base::LineReader* in_ = nullptr;
  std::uint64_t before_bytes_ = 0;
};

/// Translates all inputs as one stream of lines.
void translate_lines(const cli::Options& options, decode::LineTranslator& lines, Reading& reading,
                     const base::Report& report) {
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, text_policy_of(options));
    reading.begin(in);
    lines.read(in);
    reading.end();
    warn_of_input(report, in);
  }
  lines.finish();
  warn_of_unknown(report, lines.inputs(), "the input", advice_of(options));
}

/// Destination of translations and annotations.
struct Sink {
  base::OutputFile& out;
  decode::AnswerView* view;
  decode::RawText* raw;
  const base::Report& report;
  decode::SourceProblem source_problem;
};

void translate(const cli::Options& options, decode::Translator& translator,
               const text::Vocabularies& vocabularies, const Sink& sink) {
  const auto files = input_files(options);
  cli::Progress progress(
      sink.report, {.what = "translating", .unit = "lines", .output = &sink.out, .inputs = files});
  Reading reading;
  std::optional<base::LineReader> prefixes;
  if (options.has("prefix")) prefixes.emplace(options.text("prefix"), text_policy_of(options));
  decode::LineTranslator lines(
      {.translator = translator,
       .vocabularies = vocabularies,
       .out = sink.out,
       .report = sink.report},
      {.output = output_of(options),
       .pace = options.flag("unbuffered") ? decode::Pace::kLineByLine : decode::Pace::kStream,
       .prefixes = prefixes ? &*prefixes : nullptr,
       .view = sink.view,
       .raw = sink.raw,
       .source_problem = sink.source_problem,
       .after_lines = [&](std::uint64_t done) {
         progress.update({.done = done, .bytes = reading.bytes()});
       }});
  translate_lines(options, lines, reading, sink.report);
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& given) {
  const base::Report report = cli::report_for(given);
  limit_device_threads(given);
  // Invalid options are reported before files are opened.
  translator_settings(given);
  const auto precision = precision_of(given);
  const auto products = products_of(given);
  const auto ensemble = ensemble_settings(given);
  auto view_settings = view_settings_of(given);
  check_raw(given);
  scorer_settings_of(given, output_of(given));
  const auto files = open_models(given);
  for (const auto& path : files.paths) report.note("model " + path);
  const auto options = with_model_defaults(given, files);
  auto settings = translator_settings(options);
  auto scorer_settings = scorer_settings_of(options, output_of(options));
  view_settings.max_tokens = settings.longest_piece;
  const auto& vocabulary = files.vocabulary;
  const auto vocabularies = files.vocabularies();
  settings.special = {.end_of_sentence = vocabulary.end_of_sentence(),
                      .unknown = vocabulary.unknown()};
  settings.shortlist = read_shortlist(options, vocabulary);
  nn::Engine engine(options.text("device"));
  nn::start(engine,
            {.products = products, .threads = device_threads_of(options), .precision = precision},
            report);
  auto models = load_models(engine, files, precision);
  // In an ensemble the attention is that of the first model.
  decode::LoadedModel& first = *models.front();
  decode::TeacherForcedScorer attention(engine, first.view(),
                                        {.end_of_sentence = vocabulary.end_of_sentence(),
                                         .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
  std::optional<decode::AnswerView> view;
  if (view_settings.is_needed()) {
    view.emplace(attention, vocabularies, report, view_settings);
  }
  const auto annotator = view ? &*view : nullptr;
  std::optional<decode::RawText> raw;
  if (options.flag("raw")) raw.emplace(vocabularies);
  const auto source_problem = source_problem_of(models);
  base::OutputFile out(options.text("output"));
  if (scorer_settings) {
    scorer_settings->view = annotator;
    scorer_settings->raw = raw ? &*raw : nullptr;
    scorer_settings->source_problem = source_problem;
    const auto scorer = pair_scorer(engine, models, ensemble, settings.special);
    decode::LineScorer lines(*scorer, vocabularies, out, *scorer_settings);
    score_lines(options, lines, report);
  } else {
    decode::Translator translator(engine, decode::make_ensemble(models, ensemble), settings);
    nn::report_memory(engine, report);
    translate(options, translator, vocabularies,
              {.out = out,
               .view = annotator,
               .raw = raw ? &*raw : nullptr,
               .report = report,
               .source_problem = source_problem});
  }
  if (view) view->close();
  out.commit();
}

}  // namespace awend::tools
