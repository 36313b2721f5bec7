// score: hypotheses on stdin and references in files; out comes BLEU, as sacreBLEU prints it. Test:
// tests/cli/score.sh.
#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/report.hpp"
#include "filter_options.hpp"
#include "metrics/bleu.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[option...] REFERENCE... < hypotheses"};

constexpr base::Option kOptions[] = {
    {"output", 'o', "FILE", "-", "where to write; - is stdout"},
    {"tokenize", 't', "HOW", "13a",
     "13a, none (cut at white space), or char (every character a word)"},
    {"lowercase", 'l', "", "", "compare in lower case"},
    {"width", 'w', "DIGITS", "1", "digits behind the dot of the score"},
    {"score-only", 'b', "", "", "print the number alone"},
    kReplaceInvalidOption,
};

constexpr base::ToolDescription kTool = {
    .name = "score",
    .purpose = "Print the corpus BLEU of the translations on stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "REFERENCE: a file whose line n translates what line n of stdin translates",
    .operands_min = 1,
};

metrics::BleuSettings settings_of(const base::Options& options) {
  const auto tokenizer = metrics::tokenizer_named(options.text("tokenize"));
  if (!tokenizer) {
    throw base::UsageError(base::concat("option '--tokenize': no tokenizer '",
                                        options.text("tokenize"),
                                        "', there are 13a, none and char"));
  }
  return {.tokenizer = *tokenizer,
          .letter_case = options.flag("lowercase") ? metrics::LetterCase::kLower
                                                   : metrics::LetterCase::kMixed};
}

std::uint64_t count_lines(base::LineReader& reader) {
  for (std::string_view line; reader.next(line);) {
  }
  return reader.line_number();
}

// The files of one corpus, read side by side.
class Corpus {
 public:
  Corpus(const std::vector<std::string>& references, base::InvalidUtf8 policy)
      : hypotheses_("-", policy) {
    for (const auto& path : references) {
      if (path == "-")
        throw base::UsageError("a reference cannot be stdin, where the hypotheses are");
      references_.emplace_back(path, policy);
    }
    lines_.resize(references.size());
  }

  /// The next line of every file; false at the end of all.  Throws Error if one ends before
  /// another.
  bool next() {
    const bool more = hypotheses_.next(hypothesis_);
    for (std::size_t i = 0; i < references_.size(); ++i) {
      if (references_[i].next(lines_[i]) != more) fail_on_counts(references_[i]);
    }
    return more;
  }

  std::string_view hypothesis() const { return hypothesis_; }
  const std::vector<std::string_view>& references() const { return lines_; }

 private:
  [[noreturn]] void fail_on_counts(base::LineReader& reference) {
    const auto expected = count_lines(hypotheses_), found = count_lines(reference);
    base::fail(reference.name(), ": ", found, " lines, but ", hypotheses_.name(), " has ",
               expected);
  }

  base::LineReader hypotheses_;
  std::vector<base::LineReader> references_;
  std::string_view hypothesis_;
  std::vector<std::string_view> lines_;
};

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  metrics::Bleu bleu(settings_of(options));
  const auto digits = static_cast<int>(options.integer("width", {.min = 0, .max = 20}));
  Corpus corpus(options.operands(), invalid_utf8_of(options));
  std::uint64_t lines = 0, tokenized = 0;
  for (; corpus.next(); ++lines) {
    bleu.add(corpus.hypothesis(), corpus.references());
    if (corpus.hypothesis().ends_with(" .")) ++tokenized;
  }
  if (lines == 0) base::fail("stdin: no lines to score");
  if (tokenized >= 100) {  // sacreBLEU's threshold
    base::Report(options).warning(base::concat(
        tokenized,
        " lines end in ' .': the text looks tokenized, and its BLEU compares with none"));
  }
  base::OutputFile out(options.text("output"));
  out.write((options.flag("score-only") ? metrics::fixed(bleu.score().score, digits)
                                        : bleu.line(digits)) +
            "\n");
  out.commit();
}

}  // namespace awend::tools
