// tokenize: turns lines of text into lines of tokens, and back.
#include <filesystem>
#include <memory>
#include <optional>

#include "base/filter.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "codec_options.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "text/places.hpp"

namespace awend::tools {
namespace {

using base::Line;
using base::Option;

constexpr Option kOptions[] = {
    {.help = "Tokens"},
    {"model", 'm', "FILE", "", "vocabulary, checkpoint, subword-nmt codes or SentencePiece model"},
    {"decode", 'd', "", "", "decode lines of tokens into text"},
    {"side", 0, "SIDE", "",
     "vocabulary of a checkpoint with two: source or target; default: source, with --decode target",
     "", "source target"},
    {"ids", 0, "", "", "print ids instead of pieces; with --decode, read them"},
    {"show", 0, "", "", "print one token per line, with its byte offsets in the text"},
    {"words-only", 0, "", "", "split into words, not into subwords; --model is optional"},
    {"bpe-dropout", 0, "P", "0", "skip each merge with probability P"},
    {"sampling", 0, "ALPHA", "0",
     "unigram model: sample segmentations with smoothing exponent ALPHA"},
    {"n-best", 0, "N", "",
     "unigram model: print the N best segmentations: line number, score, tokens"},
    {"extra-options", 0, "LIST", "",
     "SentencePiece: apply bos, eos, reverse and unk in the given order"},
    {"seed", 0, "N", "1", "random seed of --bpe-dropout and --sampling"},
    {"scheme", 0, "NAME", "",
     "subword-nmt (--model is a codes file) or moses; default: detected from --model", "",
     "subword-nmt moses"},
    {.help = "subword-nmt codes"},
    {"codes", 'c', "FILE", "", "subword-nmt or fastBPE codes; same as --scheme subword-nmt -m"},
    {"vocabulary", 0, "FILE", "",
     "split pieces that are not in this frequency list (also for SentencePiece)"},
    {"vocabulary-threshold", 0, "N", "0",
     "with --vocabulary: also split pieces with a count below N"},
    {"glossaries", 0, "REGEX", "", "never split matches; may be repeated"},
    {"separator", 0, "TEXT", "@@", "suffix of pieces that do not end a word"},
    {"merges", 0, "N", "", "use only the first N merges"},
    {.help = "Moses"},
    {"language", 'l', "XX", "en", "language whose rules apply"},
    {"prefixes", 0, "DIR", "", "directory of the files nonbreaking_prefix.XX"},
    {"protected", 0, "FILE", "", "regular expressions of text that is never split, one per line"},
    {"aggressive-hyphens", 'a', "", "", "split at hyphens: well @-@ known"},
    {"no-escape", 0, "", "", "do not escape & | < > ' \" [ ]"},
    {"penn", 0, "", "", "use Penn Treebank tokenization (English)"},
    {"normalize-punctuation", 0, "", "", "normalize punctuation first"},
    {"uppercase-first", 0, "", "", "with --decode: capitalize the first word of each line"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "output file; - is stdout"},
    kReplaceInvalidOption,
    kKeepBomOption,
    {"unbuffered", 'u', "", "", "write the output of each line before reading the next"},
    kThreadsOption,
};

constexpr std::string_view kUsage[] = {
    "-m MODEL [OPTION]... [FILE]...", "-m MODEL --decode [OPTION]... [FILE]...",
    "--scheme moses [--decode] [OPTION]... [FILE]...", "--words-only [OPTION]... [FILE]..."};

// subword-nmt's names.
constexpr base::Alias kAliases[] = {{"dropout", "bpe-dropout"}, {"num-workers", "threads"}};

constexpr base::SettingName kSettings[] = {{text::kBpeDropout, "--bpe-dropout"},
                                           {text::kSampling, "--sampling"}};

constexpr base::ToolDescription kTool = {
    .name = "tokenize",
    .purpose = "Turn lines of text into lines of tokens, or back.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "With no FILE, or when FILE is '-', read stdin.",
    .aliases = kAliases,
    .settings = kSettings,
};

class Encoder : public base::LineWorker {
 public:
  explicit Encoder(const Coding& coding) : codec_(coding.make()) {}
  void answer(const Line& line, std::string& out) override {
    codec_->encode(line.text, line.number, out);
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
};

class Lister : public base::LineWorker {
 public:
  Lister(const Coding& coding, int count) : codec_(coding.make()), count_(count) {}
  void answer(const Line& line, std::string& out) override {
    codec_->encode_best(line.text, line.number, count_, out);
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
  int count_;
};

class Decoder : public base::LineWorker {
 public:
  explicit Decoder(const Coding& coding) : codec_(coding.make()) {}
  void answer(const Line& line, std::string& out) override { codec_->decode(line.text, out); }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
};

// Prints one token per line: line number, byte range [begin, end), token, and id.
class Shower : public base::LineWorker {
 public:
  explicit Shower(const Coding& coding)
      : codec_(coding.make()),
        ids_codec_(coding.has_ids() ? coding.make_for_ids() : nullptr),
        separator_(coding.separator()) {}

  void answer(const Line& line, std::string& out) override {
    tokens_.clear();
    ids_.clear();
    codec_->encode(line.text, line.number, tokens_);
    if (ids_codec_) ids_codec_->encode(line.text, line.number, ids_);
    std::string_view ids = ids_;
    for (const auto& [token, place] : text::place_tokens(tokens_, line.text, separator_)) {
      out += base::concat(line.number, "\t");
      out += place ? base::concat(place->first, "\t", place->second) : "-\t-";
      out += base::concat("\t", token);
      if (ids_codec_) {
        const std::string_view id = ids.substr(0, ids.find(' '));
        out += base::concat("\t", id);
        ids.remove_prefix(std::min(id.size() + 1, ids.size()));
      }
      out += '\n';
    }
    // The filter terminates the last line.
    if (out.ends_with('\n')) out.pop_back();
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_, ids_codec_;
  std::string separator_;
  std::string tokens_, ids_;
};

std::unique_ptr<base::LineWorker> make_worker(const Coding& coding, const base::Options& options) {
  if (options.flag("decode")) return std::make_unique<Decoder>(coding);
  if (options.flag("show")) return std::make_unique<Shower>(coding);
  if (options.has("n-best")) {
    constexpr int kMost = 512;  // the limit of the library
    return std::make_unique<Lister>(coding,
                                    static_cast<int>(options.integer("n-best", {1, kMost})));
  }
  return std::make_unique<Encoder>(coding);
}

void check_combination(const base::Options& options) {
  for (const std::string_view other : {"bpe-dropout", "sampling", "show", "n-best"}) {
    if (options.flag("decode") && options.has(other))
      throw base::UsageError(base::concat("--decode and --", other, " exclude each other"));
  }
  // subword-nmt takes several expressions after one --glossaries.
  for (const std::string& file : options.operands()) {
    std::error_code error;
    if (options.has("glossaries") && file != "-" && !std::filesystem::exists(file, error)) {
      throw base::UsageError(
          base::concat("'", file, "' is not a file; repeat --glossaries for each expression"));
    }
  }
  for (const std::string_view other : {"bpe-dropout", "sampling", "show"}) {
    if (options.has("n-best") && options.has(other))
      throw base::UsageError(base::concat("--n-best and --", other, " exclude each other"));
  }
  if (options.has("bpe-dropout") && options.has("sampling"))
    throw base::UsageError("--bpe-dropout and --sampling exclude each other");
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  const base::Report report(options);
  check_combination(options);
  const Coding coding(options, report);
  if (options.text("output") != "-") base::watch_stop_signals();
  base::OutputFile output(options.text("output"));
  const auto files = input_files(options);
  base::Progress progress(report, {.what = options.flag("decode") ? "decoding" : "encoding",
                                   .unit = "lines",
                                   .output = &output,
                                   .inputs = files});
  base::Answered before;
  const base::FilterSettings settings = {
      .threads = coding.is_sequential() ? 1 : threads_of(options),
      .flushing =
          options.flag("unbuffered") ? base::Flushing::kEveryLine : base::Flushing::kWhenInputWaits,
      .progress = [&](const base::Answered& now) {
        progress.update({.done = before.lines + now.lines, .bytes = before.bytes + now.bytes});
      }};
  auto policy = text_policy_of(options);
  if (options.flag("decode") && coding.has_broken_characters())
    policy.invalid = base::InvalidUtf8::kKeep;
  for (const std::string& file : files) {
    base::LineReader reader(file, policy);
    base::map_lines(reader, output, settings, [&] { return make_worker(coding, options); });
    before.lines += reader.line_number();
    before.bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  output.commit();
}

}  // namespace awend::tools
