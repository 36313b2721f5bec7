// build-vocab: raw text in, one vocabulary out.  Test: tests/cli/build_vocab.sh.
#include "base/report.hpp"
#include "base/signals.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "text/import.hpp"
#include "vocabulary_making.hpp"

namespace awend::tools {
namespace {

using base::Option;

constexpr Option kOptions[] = {
    {.help = "Vocabulary"},
    {"size", 's', "N", "37000",
     "number of all ids: special ones, bytes, characters and pieces; of codes: of merges"},
    {"type", 't', "TYPE", "bpe", "how pieces are found: bpe or wordpiece", "", "bpe wordpiece"},
    {"normalize", 0, "FORM", "nfc", "Unicode form of the text: nfc, nfkc or none", "",
     "nfc nfkc none"},
    {"lowercase", 0, "", "", "bring all text into lower case"},
    {"control", 0, "WHAT", "keep", "control characters: keep or remove", "", "keep remove"},
    {"min-frequency", 0, "N", "2", "how often a character or a pair must stand in the text"},
    {"report", 0, "", "", "say on stderr what the vocabulary does to the text"},
    {.help = "Other toolkits"},
    {"format", 0, "NAME", "awend",
     "awend; subword-nmt: codes, as its learn-bpe; counts: of words, as its get-vocab", "",
     "awend subword-nmt counts"},
    {"total-symbols", 0, "", "", "codes: characters count as merges"},
    {"byte", 0, "", "", "codes: of bytes, not of characters"},
    {"dict-input", 0, "", "", "codes: a text is lines of a word and its count"},
    {"import-codes", 0, "FILE", "", "take codes of subword-nmt or fastBPE, pieces from the text"},
    {"vocabulary", 0, "FILE", "", "with --import-codes, pieces from this list of counts"},
    {"vocabulary-threshold", 0, "N", "1", "those that are counted at least so often"},
    {"glossaries", 0, "REGEX", "", "with --import-codes, keep whole what matches; repeatable"},
    {"separator", 0, "TEXT", "@@", "what a piece ends with that is not its word's last"},
    {"import-model", 0, "FILE", "", "take a SentencePiece model; needs no text"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "where the vocabulary goes"},
    kReplaceInvalidOption,
    kThreadsOption,
    {"memory", 0, "SIZE", "50%", "go on in temporary files past this: 4G, 500M or a share"},
    {"temporary-directory", 'T', "DIR", "", "where those are; else $TMPDIR, else /tmp"},
};

constexpr std::string_view kUsage[] = {
    "[option...] [FILE...]", "--format subword-nmt|counts [option...] [FILE...]",
    "--import-codes FILE [option...] [FILE...]", "--import-model FILE [-o FILE]"};

constexpr base::ToolDescription kTool = {
    .name = "build-vocab",
    .purpose = "Learn one vocabulary from all the text in FILEs, or from stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "A FILE of '-' is stdin.",
};

void check_combination(const base::Options& options, std::string_view format) {
  const bool codes = options.has("import-codes"), model = options.has("import-model");
  if (codes && model)
    throw base::UsageError("--import-codes and --import-model exclude each other");
  if ((codes || model) && format != "awend")
    throw base::UsageError(base::concat("--format ", format, " is for texts"));
  const bool learns = format == "awend" && !codes && !model;
  const auto allow = [&](bool allowed, std::string_view where,
                         std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (options.has(name) && !allowed)
        throw base::UsageError(base::concat("--", name, " is for ", where));
    }
  };
  allow(learns, "vocabularies of our own", {"type", "normalize", "lowercase", "control", "report"});
  allow(learns || format == "subword-nmt", "learning", {"size", "min-frequency"});
  allow(format == "subword-nmt", "--format subword-nmt", {"total-symbols", "byte", "dict-input"});
  allow(codes, "--import-codes", {"vocabulary", "vocabulary-threshold", "glossaries", "separator"});
  if ((model || options.has("vocabulary")) && !options.operands().empty())
    throw base::UsageError(base::concat("--", model ? "import-model" : "vocabulary",
                                        " leaves nothing to take from '", options.operands()[0],
                                        "'"));
}

std::string made(const base::Options& options, const base::Report& report) {
  const std::string format = options.text("format");
  check_combination(options, format);
  if (options.has("import-codes")) return imported_codes(options, report);
  if (options.has("import-model")) {
    const std::string file = options.text("import-model");
    return text::import_model(base::read_file(file), file).serialize();
  }
  if (format == "awend") return learned_vocabulary(options, report);
  if (format == "subword-nmt") return learned_codes(options, report);
  if (format == "counts") return counts_in_order(options, report);
  throw base::UsageError(
      base::concat("unknown format '", format, "': awend, subword-nmt or counts"));
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  output.write(made(options, report));
  output.commit();
}

}  // namespace awend::tools
