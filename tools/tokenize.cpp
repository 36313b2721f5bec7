// tokenize: raw lines become token lines, or come back from them.
#include <memory>
#include <optional>

#include "base/filter.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "base/signals.hpp"
#include "coder_options.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"
#include "text/places.hpp"

namespace awend::tools {
namespace {

using base::Line;
using base::Option;

constexpr Option kOptions[] = {
    {.help = "Tokens"},
    {"model", 'm', "FILE", "",
     "a vocabulary, a checkpoint that carries one, codes of subword-nmt, or a SentencePiece model"},
    {"decode", 'd', "", "", "turn token lines back into text"},
    {"ids", 0, "", "", "print ids instead of pieces; with --decode, read them"},
    {"show", 0, "", "", "print each token on a line of its own, with its place in the text"},
    {"words-only", 0, "", "",
     "print words as they are before they are cut into pieces; needs no --model"},
    {"bpe-dropout", 0, "P", "0", "leave out each merge with this probability"},
    {"sampling", 0, "ALPHA", "0", "draw from a unigram model's best cuts, to this power"},
    {"seed", 0, "N", "1", "seed of --bpe-dropout and --sampling"},
    {"scheme", 0, "NAME", "", "subword-nmt (--model holds codes) or moses; else --model says it",
     "", "subword-nmt moses"},
    {.help = "Codes of subword-nmt"},
    {"vocabulary", 0, "FILE", "", "cut pieces again that this list of counts lacks"},
    {"vocabulary-threshold", 0, "N", "0", "or counts less often than this"},
    {"glossaries", 0, "REGEX", "", "keep whole what matches; may be repeated"},
    {"separator", 0, "TEXT", "@@", "what a piece ends with that is not its word's last"},
    {"merges", 0, "N", "", "use the first N merges only"},
    {.help = "Moses"},
    {"language", 'l', "XX", "en", "whose rules hold"},
    {"prefixes", 0, "DIR", "", "where the lists nonbreaking_prefix.XX are"},
    {"protected", 0, "FILE", "", "regular expressions of what stays whole, one a line"},
    {"aggressive-hyphens", 'a', "", "", "cut at hyphens: well @-@ known"},
    {"no-escape", 0, "", "", "leave & | < > ' \" [ ] as they are"},
    {"penn", 0, "", "", "the Penn treebank's rules, in English"},
    {"normalize-punctuation", 0, "", "", "first bring punctuation marks into one form"},
    {"uppercase-first", 0, "", "", "with --decode, begin each line with a capital"},
    {.help = "Input and output"},
    {"output", 'o', "FILE", "-", "where the lines go"},
    kReplaceInvalidOption,
    {"unbuffered", 'u', "", "", "answer each line before the next is read"},
    kThreadsOption,
};

constexpr std::string_view kUsage[] = {
    "-m MODEL [option...] [FILE...]", "-m MODEL --decode [option...] [FILE...]",
    "--scheme moses [--decode] [option...] [FILE...]", "--words-only [option...] [FILE...]"};

constexpr base::ToolDescription kTool = {
    .name = "tokenize",
    .purpose = "Turn lines of text into lines of tokens, or back.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "Without FILE, or where FILE is '-', lines come from stdin.",
};

class Encoder : public base::LineWorker {
 public:
  explicit Encoder(const Coding& coding) : coder_(coding.make()) {}
  void answer(const Line& line, std::string& out) override {
    coder_->encode(line.text, line.number, out);
  }

 private:
  std::unique_ptr<text::Coder> coder_;
};

class Decoder : public base::LineWorker {
 public:
  explicit Decoder(const Coding& coding) : coder_(coding.make()) {}
  void answer(const Line& line, std::string& out) override { coder_->decode(line.text, out); }

 private:
  std::unique_ptr<text::Coder> coder_;
};

// One token a line: the line's number, the bytes [begin, end) of it, the token, and its id.
class Shower : public base::LineWorker {
 public:
  explicit Shower(const Coding& coding)
      : coder_(coding.make()),
        ids_coder_(coding.has_ids() ? coding.make_for_ids() : nullptr),
        separator_(coding.separator()) {}

  void answer(const Line& line, std::string& out) override {
    tokens_.clear();
    ids_.clear();
    coder_->encode(line.text, line.number, tokens_);
    if (ids_coder_) ids_coder_->encode(line.text, line.number, ids_);
    std::string_view ids = ids_;
    for (const auto& [token, place] : text::place_tokens(tokens_, line.text, separator_)) {
      out += base::concat(line.number, "\t");
      out += place ? base::concat(place->first, "\t", place->second) : "-\t-";
      out += base::concat("\t", token);
      if (ids_coder_) {
        const std::string_view id = ids.substr(0, ids.find(' '));
        out += base::concat("\t", id);
        ids.remove_prefix(std::min(id.size() + 1, ids.size()));
      }
      out += '\n';
    }
    // The filter ends the last line.
    if (out.ends_with('\n')) out.pop_back();
  }

 private:
  std::unique_ptr<text::Coder> coder_, ids_coder_;
  std::string separator_;
  std::string tokens_, ids_;
};

std::unique_ptr<base::LineWorker> make_worker(const Coding& coding, const base::Options& options) {
  if (options.flag("decode")) return std::make_unique<Decoder>(coding);
  if (options.flag("show")) return std::make_unique<Shower>(coding);
  return std::make_unique<Encoder>(coding);
}

void check_combination(const base::Options& options) {
  for (const std::string_view other : {"bpe-dropout", "sampling", "show"}) {
    if (options.flag("decode") && options.has(other))
      throw base::UsageError(base::concat("--decode and --", other, " exclude each other"));
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
                                   .total_bytes = base::bytes_to_read(files),
                                   .output = &output});
  base::Answered before;
  const base::FilterSettings settings = {
      .threads = coding.is_sequential() ? 1 : threads_of(options),
      .flushing =
          options.flag("unbuffered") ? base::Flushing::kEveryLine : base::Flushing::kWhenInputWaits,
      .progress = [&](const base::Answered& now) {
        progress.update({.done = before.lines + now.lines, .bytes = before.bytes + now.bytes});
      }};
  const bool keeps_invalid = options.flag("decode") && coding.has_broken_characters();
  for (const std::string& file : files) {
    base::LineReader reader(file,
                            keeps_invalid ? base::InvalidUtf8::kKeep : invalid_utf8_of(options));
    base::map_lines(reader, output, settings, [&] { return make_worker(coding, options); });
    before.lines += reader.line_number();
    before.bytes += reader.position_bytes();
    warn_of_input(report, reader);
  }
  output.commit();
}

}  // namespace awend::tools
