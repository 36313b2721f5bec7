// build-vocab: learns a vocabulary from raw text.  Test: tests/cli/build_vocab.sh.
#include "base/report.hpp"
#include "base/signals.hpp"
#include "cli/option_rules.hpp"
#include "filter_options.hpp"
#include "joint_codes.hpp"
#include "run_tool.hpp"
#include "sentencepiece_options.hpp"
#include "sentencepiece_training.hpp"
#include "text/bert/word_pieces.hpp"
#include "text/import.hpp"
#include "text/languages.hpp"
#include "vocabulary_making.hpp"
#include "vocabulary_reading.hpp"

namespace awend::tools {
namespace {

using cli::Option;

constexpr std::string_view kFormats[] = {"awend", "sentencepiece", "subword-nmt", "counts"};

/// Names of vocabularies, then those that only SentencePiece models have.
std::vector<std::string_view> with_those_of_models(std::vector<std::string_view> names,
                                                   std::span<const std::string_view> of_models) {
  for (const auto name : of_models) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> types() {
  return with_those_of_models(base::texts_of<kLearnedTypes>(),
                              base::texts_of<kSentencePieceTypes>());
}

std::vector<std::string_view> normalizations() {
  return with_those_of_models(base::texts_of<text::kNormalizationWords>(),
                              kSentencePieceNormalizations);
}

constexpr Option kOptions[] = {
    {.help = "Vocabulary"},
    {"size", 's', "N", "37000",
     "vocabulary size, with special tokens, bytes and characters; for codes: number of merges"},
    {"type", 't', "TYPE", "bpe",
     "subword algorithm: bpe, wordpiece, bert (the word pieces of BERT); with --format "
     "sentencepiece also unigram, word and char",
     "", types},
    {"normalize", 0, "FORM", "nfc",
     "Unicode normalization: nfc, nfkc or none; with --format sentencepiece nmt_nfkc, nfkc, "
     "nmt_nfkc_cf, nfkc_cf or none",
     "", normalizations, nullptr, cli::OtherValues::kAccepted},
    {"lowercase", 0, "", "", "convert text to lowercase"},
    {"control", 0, "WHAT", "keep", "control characters: keep or remove", "",
     base::texts_of<text::kControlWords>},
    {"bert-rules", 0, "NAME", "google",
     "whose rules split text for BERT: google (those of its authors) or hugging-face (those of "
     "transformers)",
     "", base::texts_of<text::kBertRulesWords>},
    {"user-symbols", 0, "LIST", "", "comma-separated symbols that are never split"},
    {"control-symbols", 0, "LIST", "",
     "comma-separated symbols with an id that no text produces; decoded to nothing"},
    {"min-frequency", 0, "N", "2", "minimum frequency of characters and pairs"},
    {"report", 0, "", "", "print statistics of the encoded text to stderr"},
    {.help = "Other toolkits"},
    {"format", 0, "NAME", "awend",
     "output format: awend; sentencepiece (a model, as spm_train writes); subword-nmt (codes, as "
     "learn-bpe writes); counts (word frequencies, as get-vocab writes)",
     "", base::texts_of<kFormats>},
    {"character-coverage", 0, "R", "0.9995",
     "sentencepiece: fraction of characters covered by the model"},
    {"byte-fallback", 0, "", "", "sentencepiece: encode unknown characters as bytes"},
    {"split-digits", 0, "", "", "sentencepiece: make each digit a separate piece"},
    {"input-sentence-size", 0, "N", "0",
     "sentencepiece: learn from N lines, sampled from all; 0 = from all"},
    {"shuffle-input-sentence", 0, "BOOL", "true",
     "sentencepiece: true to sample these lines at random, false for the first ones", "",
     base::texts_of<kShuffleWords>},
    {"unk-id", 0, "N", "0", "sentencepiece: id of the unknown piece"},
    {"bos-id", 0, "N", "1", "sentencepiece: id of the beginning of the sentence; -1 = none"},
    {"eos-id", 0, "N", "2", "sentencepiece: id of the end of the sentence; -1 = none"},
    {"pad-id", 0, "N", "-1", "sentencepiece: id of the padding; -1 = none"},
    {"unk-piece", 0, "TEXT", "<unk>", "sentencepiece: text of the unknown piece"},
    {"bos-piece", 0, "TEXT", "<s>", "sentencepiece: text of the beginning of the sentence"},
    {"eos-piece", 0, "TEXT", "</s>", "sentencepiece: text of the end of the sentence"},
    {"pad-piece", 0, "TEXT", "<pad>", "sentencepiece: text of the padding"},
    {"unk-surface", 0, "TEXT", "",
     "sentencepiece: what the unknown piece decodes to; default: U+2047 between spaces"},
    {"total-symbols", 0, "", "", "codes: count characters toward --size"},
    {"byte", 0, "", "", "codes: learn merges of bytes instead of characters"},
    {"dict-input", 0, "", "", "codes: each input line is a word and its count"},
    {"joint", 0, "", "",
     "learn codes from all files together and write the piece counts of each file"},
    {"write-vocabulary", 0, "OUT...", "",
     "with --joint: output files for piece counts, one per input; end the list with --"},
    {"import-codes", 0, "FILE", "",
     "build the vocabulary from subword-nmt or fastBPE codes and the pieces in the text"},
    {"vocabulary", 0, "FILE", "",
     "with --import-codes: read pieces from this frequency list instead of text"},
    {"vocabulary-threshold", 0, "N", "1", "with --import-codes: minimum count of a piece"},
    {"glossaries", 0, "REGEX", "", "with --import-codes: never split matches; may be repeated"},
    {"separator", 0, "TEXT", "@@", "suffix of pieces that do not end a word"},
    {"import-model", 0, "FILE", "",
     "build the vocabulary from a SentencePiece model; reads no text"},
    {"add-languages", 0, "CODE,...", "",
     "with --import-model: add languages to a multilingual checkpoint or vocabulary FILE"},
    {"import-wordpiece", 0, "FILE", "",
     "build the vocabulary from the word pieces of BERT, one per line (vocab.txt); with "
     "--lowercase "
     "for uncased models; reads no text"},
    {.help = "Input and output"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    kReplaceInvalidOption,
    kKeepBomOption,
    kThreadsOption,
    {"memory", 0, "SIZE", "50%",
     "memory limit, such as 4G, 500M or 50%; beyond it, use temporary files"},
    {"temporary-directory", 'T', "DIR", "",
     "directory for temporary files; default: $TMPDIR or /tmp"},
};

constexpr std::string_view kUsage[] = {
    "[OPTION]... [FILE]...",
    "--format subword-nmt|counts [OPTION]... [FILE]...",
    "--format subword-nmt --joint --write-vocabulary OUT... -- FILE...",
    "--import-codes FILE [OPTION]... [FILE]...",
    "--import-model FILE [--add-languages CODE,...] [-o OUT]",
    "--import-wordpiece FILE [--lowercase] [--bert-rules NAME] [-o OUT]"};

// The names of subword-nmt and spm_train.
constexpr cli::Alias kAliases[] = {{"symbols", "size"},
                                   {"vocab-size", "size"},
                                   {"model-type", "type"},
                                   {"normalization-rule-name", "normalize"},
                                   {"user-defined-symbols", "user-symbols"}};

constexpr cli::ToolDescription kTool = {
    .name = "build-vocab",
    .purpose = "Learn one vocabulary from the text in all FILEs, or from stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "A FILE of '-' is stdin.",
    .aliases = kAliases,
};

// The options that read a vocabulary of another toolkit.
constexpr std::string_view kImports[] = {"import-codes", "import-model", "import-wordpiece"};

// The name of the only one that is given, if any.
std::string_view import_of(const cli::Options& options) {
  std::string_view found;
  for (const std::string_view name : kImports) {
    if (!options.has(name)) continue;
    if (!found.empty())
      throw base::UsageError(base::concat("--", found, " and --", name, " exclude each other"));
    found = name;
  }
  return found;
}

void check_combination(const cli::Options& options, std::string_view format) {
  const std::string_view import = import_of(options);
  const bool codes = import == "import-codes";
  if (!import.empty() && format != "awend")
    throw base::UsageError(base::concat("--format ", format, " cannot be used with --", import));
  const bool learns = format == "awend" && import.empty();
  const auto allow = [&](bool allowed, std::string_view where,
                         std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (!options.has(name) || allowed) continue;
      throw base::UsageError(
          import.empty() ? base::concat("--", name, " needs ", where)
                         : base::concat("--", name, " and --", import, " exclude each other"));
    }
  };
  // SentencePiece's own name of "none" is accepted, too.
  if (options.text("normalize") != "identity")
    cli::require_choice("normalize", options.text("normalize"), normalizations);
  const bool model_learns = format == "sentencepiece";
  const std::string type = options.text("type");
  const bool bert = learns && type == "bert";
  if (learns && (type == "unigram" || type == "word" || type == "char"))
    throw base::UsageError(base::concat("--type ", type, " needs --format sentencepiece"));
  allow(learns, "--format awend", {"report"});
  allow(learns || model_learns, "--format awend or sentencepiece", {"type"});
  allow(learns || model_learns || import == "import-wordpiece", "--format awend or sentencepiece",
        {"lowercase"});
  allow(bert || import == "import-wordpiece", "--type bert", {"bert-rules"});
  allow((learns && !bert) || model_learns,
        bert ? "another --type than bert" : "--format awend or sentencepiece",
        {"normalize", "user-symbols", "control-symbols"});
  allow(learns && !bert, bert ? "another --type than bert" : "--format awend", {"control"});
  allow(learns || model_learns || format == "subword-nmt",
        "--format awend, sentencepiece or subword-nmt", {"size"});
  allow(learns || format == "subword-nmt", "--format awend or subword-nmt", {"min-frequency"});
  for (const std::string_view name : kSentencePieceOptions)
    allow(model_learns, "--format sentencepiece", {name});
  allow(format == "subword-nmt", "--format subword-nmt",
        {"total-symbols", "byte", "dict-input", "joint"});
  allow(options.flag("joint"), "--joint", {"write-vocabulary"});
  if (options.has("add-languages") && import != "import-model")
    throw base::UsageError("--add-languages needs --import-model");
  allow(codes, "--import-codes", {"vocabulary", "vocabulary-threshold", "glossaries"});
  allow(codes || options.flag("joint"), "--import-codes or --joint", {"separator"});
  cli::check_excludes(options, "joint", {"dict-input"});
  const std::string_view textless = options.has("vocabulary") ? "vocabulary" : codes ? "" : import;
  if (!textless.empty() && !options.operands().empty()) {
    throw base::UsageError(base::concat("--", textless, " reads no text; unexpected operand '",
                                        options.operands()[0], "'"));
  }
}

/// --add-languages: the vocabulary of a checkpoint, or in a file, with more languages.
std::string more_languages(const cli::Options& options) {
  const auto vocabulary = read_model(options.text("import-model"), Side::kTarget);
  const auto added = options.list("add-languages");
  return cli::for_option("add-languages",
                         [&] { return text::with_languages(vocabulary, added).serialize(); });
}

std::string made(const cli::Options& options, const base::Report& report) {
  const std::string format = options.text("format");
  check_combination(options, format);
  if (options.has("import-codes")) return imported_codes(options, report);
  if (options.has("add-languages")) return more_languages(options);
  if (options.has("import-model")) {
    const std::string file = options.text("import-model");
    return text::import_model(base::read_file(file, base::kMaxModelBytes), file).serialize();
  }
  if (options.has("import-wordpiece")) {
    const std::string file = options.text("import-wordpiece");
    return text::import_word_pieces(
               base::read_file(file, base::kMaxModelBytes), file,
               options.flag("lowercase") ? text::LetterCase::kLower : text::LetterCase::kKeep,
               options.choice<text::kBertRulesWords>("bert-rules"))
        .serialize();
  }
  if (format == "awend") return learned_vocabulary(options, report);
  if (options.flag("joint")) return learned_jointly(options, report);
  if (format == "subword-nmt") return learned_codes(options, report);
  if (format == "counts") return counts_in_order(options, report);
  return trained_model(options, report);
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  output.write(made(options, report));
  output.commit();
}

}  // namespace awend::tools
