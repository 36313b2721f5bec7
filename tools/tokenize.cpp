// tokenize: turns lines of text into lines of tokens, and back.
#include <filesystem>
#include <optional>

#include "base/filter.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "cli/option_rules.hpp"
#include "cli/progress.hpp"
#include "codec_options.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "sentence_lines.hpp"
#include "token_lines.hpp"

namespace awend::tools {
namespace {

using cli::Option;

constexpr Option kOptions[] = {
    {.help = "Tokens"},
    {"model", 'm', "FILE", "", "vocabulary, checkpoint, subword-nmt codes or SentencePiece model"},
    {"decode", 'd', "", "", "decode lines of tokens into text"},
    {"sentences", 0, "", "",
     "split lines into sentences, one per line, with an empty line after those of each line; with "
     "--decode, join them; --model is optional"},
    {"side", 0, "SIDE", "",
     "vocabulary of a checkpoint with two: source or target; default: source, with --decode target",
     "", base::texts_of<kSideWords>},
    {"source-language", 0, "CODE", "",
     "begin token lines with the token of this language of a multilingual model"},
    {"target-language", 0, "CODE", "", "the same for lines of the target"},
    {"ids", 0, "", "", "print ids instead of pieces; with --decode, read them"},
    {"show", 0, "", "", "print one token per line, with its byte offsets in the text"},
    {"words-only", 0, "", "", "split into words, not into subwords; --model is optional"},
    {"bpe-dropout", 0, "P", "0", "skip each merge with probability P"},
    {"sampling", 0, "ALPHA", "0",
     "unigram model: sample segmentations with smoothing exponent ALPHA"},
    {"n-best", 0, "N", "",
     "unigram model: print the N best segmentations: line number, score, tokens"},
    {"extra-options", 0, "LIST", "",
     "SentencePiece: apply bos, eos, reverse and unk in the given order", "",
     base::texts_of<kExtraOptions>},
    {"seed", 0, "N", "1", "random seed of --bpe-dropout and --sampling"},
    {"scheme", 0, "NAME", "",
     "subword-nmt (--model is a codes file) or moses; default: detected from --model", "",
     base::texts_of<kSchemes>},
    {.help = "subword-nmt codes"},
    {"codes", 'c', "FILE", "", "subword-nmt or fastBPE codes; same as --scheme subword-nmt -m"},
    {"vocabulary", 0, "FILE", "",
     "split pieces that are not in this frequency list (also for SentencePiece)"},
    {"vocabulary-threshold", 0, "N", "0",
     "with --vocabulary: also split pieces with a count below N"},
    {"glossaries", 0, "REGEX", "", "never split matches; may be repeated"},
    {"separator", 0, "TEXT", "@@", "suffix of pieces that do not end a word"},
    {"merges", 0, "N", "", "use only the first N merges"},
    {.help = "Moses and sentences"},
    {"language", 'l', "XX", "en", "language whose rules apply"},
    {"prefixes", 0, "DIR", "", "directory of the files nonbreaking_prefix.XX: abbreviations"},
    {.help = "Moses"},
    {"protected", 0, "FILE", "", "regular expressions of text that is never split, one per line"},
    {"aggressive-hyphens", 'a', "", "", "split at hyphens: well @-@ known"},
    {"no-escape", 0, "", "", "do not escape & | < > ' \" [ ]"},
    {"penn", 0, "", "", "use Penn Treebank tokenization (English)"},
    {"normalize-punctuation", 0, "", "", "normalize punctuation first"},
    {"uppercase-first", 0, "", "", "with --decode: capitalize the first word of each line"},
    {.help = "Input and output"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    kReplaceInvalidOption,
    kKeepBomOption,
    {"unbuffered", 'u', "", "", "write the output of each line before reading the next"},
    kThreadsOption,
};

constexpr std::string_view kUsage[] = {
    "-m MODEL [OPTION]... [FILE]...", "-m MODEL --decode [OPTION]... [FILE]...",
    "--scheme moses [--decode] [OPTION]... [FILE]...", "--words-only [OPTION]... [FILE]...",
    "--sentences [--decode] [OPTION]... [FILE]..."};

// subword-nmt's names.
constexpr cli::Alias kAliases[] = {{"dropout", "bpe-dropout"}, {"num-workers", "threads"}};

constexpr base::SettingName kSettings[] = {{text::kBpeDropout, "--bpe-dropout"},
                                           {text::kSampling, "--sampling"}};

constexpr cli::ToolDescription kTool = {
    .name = "tokenize",
    .purpose = "Turn lines of text into lines of tokens, or back.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "With no FILE, or when FILE is '-', read stdin.",
    .aliases = kAliases,
    .settings = kSettings,
};

// Options of tokens, which plain sentences do not have.
constexpr std::string_view kTokenOptions[] = {"ids",
                                              "show",
                                              "n-best",
                                              "bpe-dropout",
                                              "sampling",
                                              "merges",
                                              "vocabulary",
                                              "separator",
                                              "protected",
                                              "penn",
                                              "glossaries",
                                              "aggressive-hyphens",
                                              "no-escape",
                                              "extra-options",
                                              "vocabulary-threshold",
                                              "side",
                                              "source-language",
                                              "target-language",
                                              "normalize-punctuation",
                                              "uppercase-first"};

// Without a tokenization scheme, --sentences splits or joins text.
bool has_plain_sentences(const cli::Options& options) {
  if (!options.flag("sentences")) return false;
  for (const std::string_view scheme : {"model", "codes", "scheme", "words-only"}) {
    if (options.has(scheme)) return false;
  }
  for (const std::string_view name : kTokenOptions) {
    if (options.has(name))
      throw base::UsageError(base::concat("--", name, " with --sentences needs --model"));
  }
  return true;
}

text::SentenceSettings sentences_of(const cli::Options& options) {
  return {options.text("language"), options.text("prefixes")};
}

std::unique_ptr<base::LineWorker> make_worker(const std::optional<Coding>& coding,
                                              const cli::Options& options) {
  if (!options.flag("sentences")) return make_token_worker(*coding, options);
  return make_sentence_encoder(sentences_of(options), coding ? coding->make() : nullptr);
}

void check_combination(const cli::Options& options) {
  using cli::check_excludes;
  check_excludes(
      options, "decode",
      {"bpe-dropout", "sampling", "show", "n-best", "source-language", "target-language"});
  check_excludes(options, "sentences", {"show", "n-best"});
  // subword-nmt takes several expressions after one --glossaries.
  for (const std::string& file : options.operands()) {
    std::error_code error;
    if (options.has("glossaries") && file != "-" && !std::filesystem::exists(file, error)) {
      throw base::UsageError(
          base::concat("'", file, "' is not a file; repeat --glossaries for each expression"));
    }
  }
  check_excludes(options, "n-best", {"bpe-dropout", "sampling", "show"});
  check_excludes(options, "source-language", {"target-language"});
  check_excludes(options, "bpe-dropout", {"sampling"});
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  check_combination(options);
  std::optional<Coding> coding;
  if (!has_plain_sentences(options)) coding.emplace(options, report);
  const bool joins = options.flag("sentences") && options.flag("decode");
  if (options.text("output") != "-") base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  const auto files = input_files(options);
  cli::Progress progress(report, {.what = options.flag("decode") ? "decoding" : "encoding",
                                  .unit = "lines",
                                  .output = &output,
                                  .inputs = files});
  base::Answered before;
  const base::FilterSettings settings = {
      .threads = coding && coding->is_sequential() ? 1 : threads_of(options),
      .flushing =
          options.flag("unbuffered") ? base::Flushing::kEveryLine : base::Flushing::kWhenInputWaits,
      .progress = [&](const base::Answered& now) {
        progress.update({.done = before.lines + now.lines, .bytes = before.bytes + now.bytes});
      }};
  auto policy = text_policy_of(options);
  if (options.flag("decode") && coding && coding->has_broken_characters())
    policy.invalid = base::InvalidUtf8::kKeep;
  for (const std::string& file : files) {
    base::LineReader reader(file, policy);
    if (joins) {
      const auto codec = coding ? coding->make() : nullptr;
      join_sentence_lines(reader, output,
                          {codec.get(), options.text("language"), settings.flushing});
    } else {
      base::map_lines(reader, output, settings, [&] { return make_worker(coding, options); });
    }
    before.lines += reader.line_number();
    before.bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  output.commit();
}

}  // namespace awend::tools
