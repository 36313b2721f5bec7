// translate: token lines in, token lines of the other language out (the paper, section 6.1).  Test:
// tests/cli/translate.sh.
#include <optional>
#include <utility>

#include "base/progress.hpp"
#include "base/report.hpp"
#include "decode/line_translator.hpp"
#include "device_option.hpp"
#include "filter_options.hpp"
#include "nn/matrix_check.hpp"
#include "precision_option.hpp"
#include "run_tool.hpp"
#include "shaders/embedded.hpp"
#include "translate_models.hpp"
#include "translate_settings.hpp"
#include "translate_view.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-m FILE [OPTION]... [FILE]... < tokens > tokens"};

constexpr base::Option kOptions[] = {
    {"model", 'm', "FILE", "", "the checkpoint, from train or average; several together: A,B"},
    {"ensemble", 0, "MEAN", "linear", "several models: the linear or the log mean of theirs", "",
     "linear log"},
    {"ensemble-weights", 0, "LIST", "", "weights of several models, W,W; default: equal"},
    {"output", 'o', "FILE", "-", "where translations go; - is stdout"},
    {.help = "Search"},
    {"beam-size", 'b', "N", "4", "hypotheses that are kept at each step"},
    {"alpha", 0, "A", "0.6", "length penalty: ln P / ((5 + length) / 6)^A"},
    {"max-length-ratio", 0, "R", "1", "longest output: R times the input's tokens ..."},
    {"max-length-extra", 0, "N", "50", "... and N more"},
    {"min-length-ratio", 0, "R", "0", "shortest output: R times the input's tokens ..."},
    {"min-length-extra", 0, "N", "0", "... and N more"},
    {"no-repeat-ngram", 0, "N", "0", "no N tokens in a row come twice; 0: they may"},
    {"repetition-penalty", 0, "P", "1", "divide or multiply logits of tokens that came by P"},
    {"unknown-penalty", 0, "P", "0", "taken from the logit of the unknown token"},
    {"prefix", 0, "FILE", "", "token lines that the translations begin with"},
    {"shortlist", 0, "FILE", "", "tokens, one a line, that alone may be said"},
    {.help = "Chance"},
    {"sample", 0, "", "", "draw tokens by their probability instead of searching"},
    {"temperature", 0, "T", "1", "divide logits by T before the draw; 0: the best token"},
    {"top-k", 0, "N", "0", "draw from the N most probable tokens; 0: from all"},
    {"top-p", 0, "P", "1", "draw from the fewest that have this share of probability"},
    {"seed", 0, "N", "1", "where the draws begin"},
    {.help = "Output"},
    {"n-best", 0, "N", "", "the N best, or draws, of each line: line ||| tokens ||| ..."},
    {"scores", 0, "", "", "put the score and a tab in front of each line"},
    {"word-scores", 0, "", "", "put ln P of each token and of the end, and a tab, in front"},
    {"json", 0, "", "", "an object a line: tokens and scores, of the N best with --n-best"},
    {"target", 0, "FILE", "", "do not translate: score these translations, or this n-best list"},
    {"attention", 0, "FILE", "", "write the attention of every layer and head for inspect"},
    {"alignment", 0, "", "", "add ||| and pairs of source and target tokens that belong together"},
    {"alignment-form", 0, "FORM", "hard", "hard, soft, or the least weight of a pair", "",
     "hard soft"},
    {"alignment-layer", 0, "N", "", "decoder layer that aligns; else the last but one"},
    {"alignment-words", 0, "", "", "align words instead of tokens"},
    {"replace-unknown", 0, "", "", "put source tokens in place of unknown ones, by alignment"},
    {.help = "Running"},
    {"max-input-length", 0, "N", "1024", "tokens of a line beyond which it is cut in pieces"},
    {"batch-tokens", 0, "N", "", "most input tokens in work at once; default: by memory"},
    {"unbuffered", 'u', "", "", "answer each line before the next one is read"},
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

/// A few unknown tokens are nothing strange; many mean that the text is another's.
void warn_of_unknown(const base::Report& report, const decode::UnknownTokens& tokens,
                     const std::string& what) {
  if (tokens.unknown() == 0) return;
  const auto text = what + ": " + tokens.report();
  const bool many =
      static_cast<double>(tokens.unknown()) > kManyUnknown * static_cast<double>(tokens.tokens());
  if (many) {
    report.warning(text + "; was it tokenized with the model's vocabulary?");
  } else {
    report.note(text);
  }
}

/// What --target asks for: scores of translations that are there.
void score_lines(const base::Options& options, decode::LineScorer& scorer,
                 const base::Report& report) {
  const auto files = input_files(options);
  if (files.size() > 1) throw base::UsageError("--target takes one input");
  base::LineReader sources(files.front(), invalid_utf8_of(options)),
      targets(options.text("target"), invalid_utf8_of(options));
  scorer.run(sources, targets);
  warn_of_input(report, sources);
  warn_of_input(report, targets);
  warn_of_unknown(report, scorer.sources(), sources.name());
  warn_of_unknown(report, scorer.targets(), targets.name());
}

/// How much of all inputs was read.
class Reading {
 public:
  void begin(const base::LineReader& in) { in_ = &in; }
  void end() { before_bytes_ += std::exchange(in_, nullptr)->position_bytes(); }
  std::uint64_t bytes() const { return before_bytes_ + (in_ ? in_->position_bytes() : 0); }

 private:
  const base::LineReader* in_ = nullptr;
  std::uint64_t before_bytes_ = 0;
};

/// All inputs as one stream of lines.
void translate_lines(const base::Options& options, decode::LineTranslator& lines, Reading& reading,
                     const base::Report& report) {
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, invalid_utf8_of(options));
    reading.begin(in);
    lines.read(in);
    reading.end();
    warn_of_input(report, in);
  }
  lines.finish();
  warn_of_unknown(report, lines.inputs(), "the input");
}

/// Where translations go, and what is seen of them.
struct Sink {
  base::OutputFile& out;
  decode::AnswerView* view;
  const base::Report& report;
};

void translate(const base::Options& options, decode::Translator& translator,
               const text::Vocabulary& vocabulary, const Sink& sink) {
  base::Progress progress(sink.report, {.what = "translating",
                                        .unit = "lines",
                                        .total_bytes = base::bytes_to_read(input_files(options)),
                                        .output = &sink.out});
  Reading reading;
  std::optional<base::LineReader> prefixes;
  if (options.has("prefix")) prefixes.emplace(options.text("prefix"), invalid_utf8_of(options));
  decode::LineTranslator lines(
      translator, vocabulary, sink.out, sink.report,
      {.output = output_of(options),
       .pace = options.flag("unbuffered") ? decode::Pace::kLineByLine : decode::Pace::kStream,
       .prefixes = prefixes ? &*prefixes : nullptr,
       .view = sink.view,
       .after_lines = [&](std::uint64_t done) {
         progress.update({.done = done, .bytes = reading.bytes()});
       }});
  translate_lines(options, lines, reading, sink.report);
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  auto settings = translator_settings(options);
  const auto view_settings = view_settings_of(options);
  auto scorer_settings = scorer_settings_of(options, output_of(options));
  const auto files = open_models(options);
  const auto& vocabulary = files.vocabulary;
  settings.special = {.end_of_sentence = vocabulary.end_of_sentence(),
                      .unknown = vocabulary.unknown()};
  settings.shortlist = read_shortlist(options, vocabulary);
  nn::Engine engine(options.text("device"));
  report.note(engine.device.description());
  if (!engine.device.caution().empty()) report.warning(engine.device.caution());
  const auto distrust = nn::check_matrix_units(engine, settings.precision);
  if (!distrust.empty()) report.warning(distrust);
  auto models = load_models(engine, files, settings.precision);
  // Of several models the first shows where it looked.
  decode::LoadedModel& first = *models.front();
  decode::ForcedPass pass(engine, first.parameters(), first.transformer(),
                          vocabulary.end_of_sentence(), decode::ForcedPass::Keeps::kAttention);
  std::optional<decode::AnswerView> view;
  if (view_settings.sees()) {
    view.emplace(pass, vocabulary, first.transformer().config(), settings.longest_piece, report,
                 view_settings);
  }
  const auto seen = view ? &*view : nullptr;
  base::OutputFile out(options.text("output"));
  if (scorer_settings) {
    scorer_settings->view = seen;
    const auto scorer = given_scorer(engine, models, settings);
    decode::LineScorer lines(*scorer, vocabulary, out, *scorer_settings);
    score_lines(options, lines, report);
  } else {
    decode::Translator translator(engine, std::move(models), settings);
    translate(options, translator, vocabulary, {.out = out, .view = seen, .report = report});
  }
  if (view) view->close();
  out.commit();
}

}  // namespace awend::tools
