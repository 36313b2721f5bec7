// score: hypotheses on stdin or in files, and references in files; out come BLEU and other metrics,
// as sacreBLEU prints them.  Test: tests/cli/score.sh, tests/cli/score_cases_test.cpp.
#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/report.hpp"
#include "filter_options.hpp"
#include "metrics/report.hpp"
#include "metrics/significance.hpp"
#include "metrics/table.hpp"
#include "run_tool.hpp"
#include "score_perplexity.hpp"
#include "score_request.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[option...] REFERENCE... < hypotheses",
                                       "[option...] --systems FILE... -- REFERENCE...",
                                       "--perplexity [--alpha A] [REFERENCE] < scores"};

constexpr base::Option kOptions[] = {
    {"metric", 'm', "LIST", "bleu",
     "what to compute: bleu, chrf, ter, paper-bleu, multi-bleu or brackets", "",
     "bleu chrf ter paper-bleu multi-bleu brackets"},
    {"sentence", 0, "", "", "print a score for every line"},
    {"systems", 0, "FILE...", "",
     "hypotheses of several systems, in place of stdin; end the list with --"},
    {"systems-in-tsv", 0, "N", "1", "columns of systems, with tabs between, in each input"},
    {"references-in-tsv", 0, "N", "1", "columns of references in each REFERENCE"},
    {"skip-empty-references", 0, "", "", "take an empty line of a REFERENCE for no reference"},
    kReplaceInvalidOption,
    kThreadsOption,
    {.help = "BLEU"},
    {"tokenize", 't', "HOW", "13a",
     "13a, intl, zh (Chinese), char (every character a word), none (cut at white space), or spm, "
     "flores101, flores200, spBLEU-1K with --spm-model",
     "", "13a intl zh char none spm flores101 flores200 spBLEU-1K"},
    {"spm-model", 0, "FILE", "", "the SentencePiece model to tokenize with"},
    {"lowercase", 'l', "", "", "compare in lower case"},
    {"smooth", 0, "METHOD", "exp", "for orders without a match: none, floor, add-k or exp", "",
     "none floor add-k exp"},
    {"smooth-value", 0, "V", "", "the value of floor (unless given, 0.1) or of add-k (1)"},
    {"effective-order", 0, "", "", "leave out orders that the text is too short for"},
    {"max-order", 0, "N", "4", "the longest n-grams"},
    {"force", 0, "", "", "do not warn of text that looks tokenized"},
    {.help = "chrF"},
    {"chrf-char-order", 0, "N", "6", "the longest n-grams of characters"},
    {"chrf-word-order", 0, "N", "0", "the longest n-grams of words; 2 is chrF++"},
    {"chrf-beta", 0, "N", "2", "how much recall weighs more than precision"},
    {"chrf-lowercase", 0, "", "", "compare in lower case"},
    {"chrf-whitespace", 0, "", "", "count white space among the characters"},
    {"chrf-eps-smoothing", 0, "", "", "smooth as chrF++.py and NLTK do"},
    {.help = "TER"},
    {"ter-normalized", 0, "", "", "set punctuation apart"},
    {"ter-no-punct", 0, "", "", "take punctuation away"},
    {"ter-asian-support", 0, "", "", "set Chinese and Japanese characters apart"},
    {"ter-case-sensitive", 0, "", "", "let case count"},
    {.help = "Brackets of parses"},
    {"brackets-parameters", 0, "FILE", "", "evalb's parameters; else those of COLLINS.prm"},
    {"brackets-linear", 0, "", "", "read linearised trees: (S (NP XX )NP )S"},
    {"brackets-damaged", 0, "", "", "count hypotheses that are no trees instead of failing"},
    {.help = "Perplexity"},
    {"perplexity", 0, "", "",
     "of the scores that translate --scores wrote, on stdin; REFERENCE has the words"},
    {"alpha", 0, "A", "0.6", "the length penalty that those scores have in them"},
    {"word-scores", 0, "", "", "they are those of translate --word-scores"},
    {.help = "Significance"},
    {"confidence", 0, "", "", "an interval that holds 95 % of the scores of bootstrap samples"},
    {"confidence-n", 0, "N", "1000", "samples of --confidence"},
    {"paired-bs", 0, "", "", "compare systems with the first one by a paired bootstrap"},
    {"paired-bs-n", 0, "N", "1000", "samples of --paired-bs"},
    {"paired-ar", 0, "", "", "compare systems with the first one by approximate randomization"},
    {"paired-ar-n", 0, "N", "10000", "samples of --paired-ar"},
    {"seed", 0, "N", "12345", "where the draws of samples begin"},
    {.help = "Output"},
    {"output", 'o', "FILE", "-", "where to write; - is stdout"},
    {"format", 'f', "FORMAT", "text", "text, json or latex", "", "text json latex"},
    {"json", 0, "", "", "the same as --format json"},
    {"width", 'w', "DIGITS", "1", "digits behind the dot of the score"},
    {"score-only", 'b', "", "", "print the number alone"},
    {"short", 0, "", "", "short signatures"},
};

constexpr base::ToolDescription kTool = {
    .name = "score",
    .purpose = "Print BLEU, chrF and TER of the translations on stdin.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "REFERENCE: a file whose line n translates what line n of stdin translates",
};

// A line's references are its own, and so is what the signature says of their number.
void score_sentences(const Request& request, metrics::CorpusReader& corpus, base::OutputFile& out) {
  if (request.metrics.size() > 1) base::fail("sentences are scored by one metric at a time");
  if (corpus.systems() > 1) base::fail("sentences of one system at a time are scored");
  const auto& metric = *request.metrics.front();
  metrics::measure(
      corpus, request.metrics, request.measuring, [&](const metrics::Measured& measured) {
        const std::span<const std::int64_t> rows(measured.rows.front());
        for (std::size_t i = 0; i < measured.segments; ++i) {
          const auto references = measured.references[i];
          const auto signature = signature_of(metric, {references, references});
          const auto row = rows.subspan(i * metric.width(), metric.width());
          out.write(line_of({metric.name(), metric.score(row), signature}, request.text) + "\n");
        }
      });
}

// It is BLEU that such text spoils.
void warn_of_tokenized(const base::Options& options, const Request& request,
                       const metrics::CorpusStatistics& statistics) {
  constexpr std::uint64_t kEnough = 100;  // sacreBLEU's threshold
  if (options.flag("force") || request.metrics.front()->name() != "BLEU") return;
  for (const auto count : statistics.tokenized) {
    if (count < kEnough) continue;
    base::Report(options).warning(base::concat(
        count,
        " lines end in ' .': the text looks tokenized, and its score compares with none; "
        "--force silences this"));
  }
}

// The tests' rule gives such a system the smallest p there is, as if it differed for certain.
void warn_of_equal_systems(const base::Options& options,
                           const metrics::CorpusStatistics& statistics,
                           const std::vector<std::string>& names) {
  for (std::size_t s = 1; s < statistics.systems; ++s) {
    bool equal = true;
    for (std::size_t place = s; place < statistics.rows.size(); place += statistics.systems)
      equal = equal && statistics.rows[place] == statistics.rows[place - s];
    if (equal) {
      base::Report(options).warning(
          names[s] + " scores like the baseline in every line: its p-value means nothing");
    }
  }
}

base::Progress::Task sampling_task(const metrics::Sampling& sampling) {
  return {.what = "resampling", .unit = "samples", .total = sampling.samples};
}

std::vector<std::string> system_names(const metrics::CorpusFiles& files) {
  std::vector<std::string> names;
  for (const auto& path : files.systems) {
    for (std::size_t i = 1; i <= files.system_columns; ++i) {
      const auto of_column = base::concat("System ", i);
      const bool one = files.system_columns == 1;
      names.push_back(path == "-" ? (one ? "stdin" : of_column)
                                  : path + (one ? "" : base::concat(":", i)));
    }
  }
  return names;
}

std::vector<metrics::Confidence> confidences_of(const Request& request,
                                                const metrics::CorpusStatistics& statistics,
                                                const base::Report& report) {
  if (!request.confidence) return {};
  base::Progress progress(report, sampling_task(*request.confidence));
  return metrics::confidences(
      statistics, request.metrics, *request.confidence,
      {request.measuring.threads, [&](std::uint64_t samples) { progress.update(samples); }});
}

std::string one_system(const Request& request, const metrics::CorpusStatistics& statistics,
                       const base::Report& report) {
  const auto confidences = confidences_of(request, statistics, report);
  std::vector<metrics::Result> results;
  for (std::size_t m = 0; m < request.metrics.size(); ++m) {
    const auto& metric = *request.metrics[m];
    results.push_back({metric.name(), metric.score(statistics.sums[statistics.place(m, 0)]),
                       signature_of(metric, statistics.references, request.confidence)});
    // As with sacreBLEU, there is nothing to say about nought.
    if (request.confidence && confidences[m].mean > 0) results.back().confidence = confidences[m];
  }
  const bool json =
      request.format == Format::kJson && request.text.detail == metrics::Detail::kFull;
  return json ? metrics::json_of(results, request.text.digits) : lines_of(results, request.text);
}

std::vector<metrics::SystemScores> scores_of(const Request& request,
                                             const metrics::CorpusStatistics& statistics,
                                             const base::Report& report) {
  base::Progress progress(report, sampling_task(request.test.value_or(metrics::Sampling{})));
  return compare_systems(
      statistics, request.metrics, request.test,
      {request.measuring.threads, [&](std::uint64_t samples) { progress.update(samples); }});
}

std::string several_systems(const Request& request, const metrics::CorpusStatistics& statistics,
                            const base::Report& own_report) {
  metrics::SystemsReport report;
  report.test = request.test;
  report.systems = scores_of(request, statistics, own_report);
  const auto names = system_names(request.files);
  for (std::size_t s = 0; s < names.size(); ++s) {
    report.systems[s].name = (request.test && s == 0 ? "Baseline: " : "") + names[s];
  }
  for (const auto& metric : request.metrics) {
    report.metrics.push_back(metric->name());
    report.signatures.push_back(signature_of(*metric, statistics.references, request.test));
  }
  if (request.format == Format::kJson) return json_of(report, request.text.digits);
  return table_of(
      report,
      request.format == Format::kText ? metrics::TableStyle::kText : metrics::TableStyle::kLatex,
      request.text);
}

std::uint64_t bytes_to_read(const metrics::CorpusFiles& files) {
  auto paths = files.systems;
  paths.insert(paths.end(), files.references.begin(), files.references.end());
  return base::bytes_to_read(paths);
}

// What would be asked of the wrong number of systems.  sacreBLEU's status for these is 1, too.
void check_systems(const Request& request, const metrics::CorpusReader& corpus) {
  if (request.test && corpus.systems() == 1)
    base::fail("a paired test compares several systems, given with --systems");
  if (request.confidence && corpus.systems() > 1)
    base::fail("several systems are compared by --paired-bs or --paired-ar, not by --confidence");
}

}  // namespace

const base::ToolDescription& tool() {
  return kTool;
}

void run(const base::Options& options) {
  if (options.flag("perplexity")) return print_perplexity(options);
  for (const auto* name : {"alpha", "word-scores"}) {
    if (options.has(name)) throw base::UsageError(base::concat("--", name, " is for --perplexity"));
  }
  if (options.operands().empty()) throw base::UsageError("missing operand");
  auto request = request_of(options);
  const base::Report report(options);
  metrics::CorpusReader corpus(request.files);
  base::OutputFile out(options.text("output"));
  const bool sentences = options.flag("sentence");
  std::optional<base::Progress> progress(
      std::in_place, report,
      base::Progress::Task{.what = "scoring",
                           .unit = "lines",
                           .total_bytes = bytes_to_read(request.files),
                           .output = sentences ? &out : nullptr});
  request.measuring.progress = [&](std::uint64_t segments, std::uint64_t bytes) {
    progress->update({.done = segments, .bytes = bytes});
  };
  if (sentences) {
    score_sentences(request, corpus, out);
    if (corpus.segments() == 0) base::fail(corpus.name(), ": no lines to score");
    return out.commit();
  }
  check_systems(request, corpus);
  using Keep = metrics::CorpusStatistics::Keep;
  const bool resamples = request.confidence || request.test;
  const auto statistics = measure_corpus(corpus, request.metrics, request.measuring,
                                         resamples ? Keep::kRows : Keep::kSums);
  progress.reset();
  if (statistics.segments == 0) base::fail(corpus.name(), ": no lines to score");
  warn_of_tokenized(options, request, statistics);
  if (request.test) warn_of_equal_systems(options, statistics, system_names(request.files));
  out.write(corpus.systems() == 1 ? one_system(request, statistics, report)
                                  : several_systems(request, statistics, report));
  out.commit();
}

}  // namespace awend::tools
