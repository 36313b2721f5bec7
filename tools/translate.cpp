// translate: token lines in, token lines of the other language out (the paper, section 6.1).  Test:
// tests/cli/translate.sh.
#include <optional>

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
#include "translate_view.hpp"

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
    {"min-length-ratio", 0, "R", "0", "shortest output: R times the input's tokens ..."},
    {"min-length-extra", 0, "N", "0", "... and N more"},
    {"no-repeat-ngram", 0, "N", "0", "no N tokens in a row come twice; 0: they may"},
    {"repetition-penalty", 0, "P", "1", "divide or multiply logits of tokens that came by P"},
    {"unknown-penalty", 0, "P", "0", "taken from the logit of the unknown token"},
    {"prefix", 0, "FILE", "", "token lines that the translations begin with"},
    {.help = "Output"},
    {"n-best", 0, "N", "", "the N best of each line: line ||| tokens ||| logprob= x ||| score"},
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

std::uint32_t count_of(const base::Options& options, std::string_view name, std::int64_t least,
                       std::int64_t most) {
  return static_cast<std::uint32_t>(options.integer(name, {.min = least, .max = most}));
}

decode::TranslatorSettings settings_of(const base::Options& options) {
  decode::TranslatorSettings settings;
  auto& search = settings.search;
  search.beam_size = count_of(options, "beam-size", 1, 100'000);
  search.alpha = options.real("alpha", {.min = 0, .max = 100});
  search.max_length_ratio = options.real("max-length-ratio", {.min = 0, .max = 1000});
  search.max_length_extra = count_of(options, "max-length-extra", 0, 1'000'000);
  search.rules.min_length_ratio = options.real("min-length-ratio", {.min = 0, .max = 1000});
  search.rules.min_length_extra = count_of(options, "min-length-extra", 0, 1'000'000);
  search.rules.no_repeat_ngram = count_of(options, "no-repeat-ngram", 0, 1000);
  search.rules.repetition_penalty = options.real("repetition-penalty", {.min = 0.01, .max = 100});
  search.rules.unknown_penalty = options.real("unknown-penalty", {.min = -1e6, .max = 1e6});
  if (options.has("n-best")) search.n_best = count_of(options, "n-best", 1, 100'000);
  settings.longest_piece = count_of(options, "max-input-length", 1, 60'000);
  if (options.has("batch-tokens"))
    settings.batch_tokens = count_of(options, "batch-tokens", 1, 1'000'000);
  settings.precision = precision_of(options);
  return settings;
}

decode::Output output_of(const base::Options& options) {
  const bool json = options.flag("json"), n_best = options.has("n-best") && !json,
             words = options.flag("word-scores"), scores = options.flag("scores");
  if (json + n_best + words + (scores && !n_best) > 1)
    throw base::UsageError("--scores, --word-scores, --n-best and --json are different forms");
  if (json) return decode::Output::kJson;
  if (n_best) return decode::Output::kNBest;
  if (words) return decode::Output::kWordScores;
  return scores ? decode::Output::kScores : decode::Output::kText;
}

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

/// All inputs as one stream of lines.
void translate_lines(const base::Options& options, decode::LineTranslator& lines,
                     const base::Report& report) {
  for (const auto& path : input_files(options)) {
    base::LineReader in(path, invalid_utf8_of(options));
    lines.read(in);
    warn_of_input(report, in);
  }
  lines.finish();
  warn_of_unknown(report, lines.inputs(), "the input");
}

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
  settings.special = {.end_of_sentence = vocabulary.end_of_sentence(),
                      .unknown = vocabulary.unknown()};
  nn::Engine engine(options.text("device"));
  report.note(engine.device.description());
  if (!engine.device.caution().empty()) report.warning(engine.device.caution());
  const auto distrust = nn::check_matrix_units(engine, settings.precision);
  if (!distrust.empty()) report.warning(distrust);
  decode::LoadedModel loaded(engine, checkpoint, settings.precision);
  base::OutputFile out(options.text("output"));
  using Keeps = decode::ForcedPass::Keeps;
  const auto scorer_settings = scorer_settings_of(options, output_of(options));
  decode::ForcedPass pass(engine, loaded.parameters(), loaded.transformer(),
                          vocabulary.end_of_sentence(),
                          scorer_settings ? Keeps::kScores : Keeps::kAttention);
  if (scorer_settings) {
    decode::LineScorer scorer(pass, vocabulary, out, *scorer_settings);
    score_lines(options, scorer, report);
    return out.commit();
  }
  decode::Translator translator(engine, loaded.parameters(), loaded.transformer(), settings);
  const auto view_settings = view_settings_of(options);
  std::optional<decode::AnswerView> view;
  if (view_settings.sees()) {
    view.emplace(pass, vocabulary, loaded.transformer().config(), translator.longest_piece(),
                 report, view_settings);
  }
  base::Progress progress(report, {.what = "translating", .unit = "lines", .total = 0});
  std::optional<base::LineReader> prefixes;
  if (options.has("prefix")) prefixes.emplace(options.text("prefix"), invalid_utf8_of(options));
  decode::LineTranslator lines(
      translator, vocabulary, out, report,
      {.output = output_of(options),
       .pace = options.flag("unbuffered") ? decode::Pace::kLineByLine : decode::Pace::kStream,
       .prefixes = prefixes ? &*prefixes : nullptr,
       .view = view ? &*view : nullptr,
       .after_lines = [&](std::uint64_t done) { progress.update(done); }});
  translate_lines(options, lines, report);
  if (view) view->close();
  out.commit();
}

}  // namespace awend::tools
