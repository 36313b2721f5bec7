// score: computes BLEU and other metrics of hypotheses against references, and prints them as
// sacreBLEU does.  Test: tests/cli/score.sh, tests/cli/score_cases_test.cpp.
#include "base/files.hpp"
#include "base/report.hpp"
#include "cli/progress.hpp"
#include "decode/search_settings.hpp"
#include "filter_options.hpp"
#include "metrics/bleu/bleu.hpp"
#include "metrics/report.hpp"
#include "metrics/score_lines.hpp"
#include "metrics/statistics/significance.hpp"
#include "metrics/table.hpp"
#include "output_check.hpp"
#include "run_tool.hpp"
#include "score_by_length.hpp"
#include "score_check.hpp"
#include "score_comet.hpp"
#include "score_mbr.hpp"
#include "score_metrics.hpp"
#include "score_perplexity.hpp"
#include "score_request.hpp"
#include "score_rerank.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[OPTION]... REFERENCE... < hypotheses",
                                       "[OPTION]... --systems FILE... -- REFERENCE...",
                                       "--metric comet-qe --model FILE --source FILE < hypotheses",
                                       "--mbr METRIC [OPTION]... [LIST] < candidates",
                                       "--rerank [OPTION]... [REFERENCE]... < candidates",
                                       "--perplexity [--alpha A] [REFERENCE] < scores"};

constexpr cli::Option kOptions[] = {
    {"metric", 'm', "LIST...", "bleu",
     "metrics: bleu, chrf, chrf++, ter, paper-bleu, multi-bleu, brackets, aer, comet, "
     "comet-qe",
     "", known_metrics, is_metric_list, cli::OtherValues::kAccepted},
    {"sentence", 0, "", "", "print a score for each line"},
    {"systems", 'i', "FILE...", "",
     "hypothesis files of one or more systems, instead of stdin; end the list with --"},
    {"systems-in-tsv", 0, "N", "1", "number of tab-separated systems in each input"},
    {"references-in-tsv", 0, "N", "1", "number of tab-separated references in each REFERENCE"},
    {"skip-empty-references", 0, "", "", "treat an empty line in a REFERENCE as no reference"},
    kReplaceInvalidOption,
    {"remove-bom", 0, "", "", "remove a byte order mark at the start of a file"},
    kThreadsOption,
    {.help = "BLEU"},
    {"tokenize", 't', "HOW", "13a",
     "tokenizer: 13a, intl, zh (Chinese), ja-mecab (Japanese), ko-mecab (Korean), char (split into "
     "characters), none (split at white space), or spm, flores101, flores200, spBLEU-1K with "
     "--spm-model",
     "", base::texts_of<kTokenizerNames>, nullptr, cli::OtherValues::kAccepted},
    {"language-pair", 0, "LP", "",
     "language pair, such as en-zh: use the tokenizer for the target language"},
    {"spm-model", 0, "FILE", "", "SentencePiece model of the tokenizer"},
    {"mecab-dictionary", 0, "DIR", "", "MeCab dictionary of ja-mecab or ko-mecab"},
    {"lowercase", 'l', "", "", "case-insensitive"},
    {"smooth", 0, "METHOD", "exp",
     "smoothing of n-gram orders without a match: none, floor, add-k or exp", "",
     base::texts_of<metrics::kSmoothingWords>},
    {"smooth-value", 0, "V", "",
     "value of floor or add-k smoothing; default: 0.1 for floor, 1 for add-k"},
    {"effective-order", 0, "", "", "ignore n-gram orders that are longer than the text"},
    {"max-order", 0, "N", "4", "maximum n-gram order"},
    {"force", 0, "", "", "do not warn about text that looks tokenized"},
    {.help = "chrF"},
    {"chrf-char-order", 0, "N", "6", "maximum order of character n-grams"},
    {"chrf-word-order", 0, "N", "0", "maximum order of word n-grams; 2 = chrF++"},
    {"chrf-beta", 0, "N", "2", "weight of recall relative to precision"},
    {"chrf-lowercase", 0, "", "", "case-insensitive"},
    {"chrf-whitespace", 0, "", "", "include white space in character n-grams"},
    {"chrf-eps-smoothing", 0, "", "", "use the epsilon smoothing of chrF++.py and NLTK"},
    {.help = "TER"},
    {"ter-normalized", 0, "", "", "split punctuation from words"},
    {"ter-no-punct", 0, "", "", "remove punctuation"},
    {"ter-asian-support", 0, "", "", "split Chinese and Japanese text into characters"},
    {"ter-case-sensitive", 0, "", "", "case-sensitive"},
    {.help = "Bracket F1 of parse trees"},
    {"brackets-parameters", 0, "FILE", "",
     "evalb parameter file; default: the parameters of COLLINS.prm"},
    {"brackets-linear", 0, "", "", "read linearized trees: (S (NP XX )NP )S"},
    {"brackets-damaged", 0, "", "", "count malformed hypotheses as errors instead of failing"},
    {.help = "COMET"},
    {"model", 0, "FILE", "", "metric converted from COMET by convert-model"},
    {"batch-tokens", 0, "N", "2048", "maximum tokens that are encoded at once"},
    {"device", 0, "NAME", "cpu",
     "cpu, or index, UUID or part of the name of a Vulkan device; also set by $AWEND_DEVICE",
     "AWEND_DEVICE"},
    {.help = "Choosing candidates"},
    {"mbr", 0, "METRIC", "",
     "read candidates (translate --n-best) and print that of the greatest expected score of each "
     "line (minimum Bayes risk): chrf, chrf++, bleu or comet",
     "", base::texts_of<kUtilityNames>},
    {"mbr-scale", 0, "A", "0",
     "weights of candidates as references: their probabilities to the power of A; 0 = equal"},
    {"candidates", 0, "N", "0",
     "input has N plain lines for each source line, instead of an n-best list or JSON"},
    {"rerank", 0, "", "",
     "read candidates and print that of the greatest weighted sum of features of each line"},
    {"features", 0, "FILE", "", "columns of numbers, one line for each candidate, with a header"},
    {"weights", 0, "LIST", "", "weights of features, such as logprob=1,words=0.5"},
    {"weights-file", 0, "FILE", "", "weights that --tune wrote"},
    {"tune", 0, "OUT", "",
     "find weights that maximize --metric against REFERENCE (MERT), and write them to OUT"},
    {"tune-starts", 0, "N", "8", "number of starts of the search for weights"},
    {.help = "Perplexity"},
    {"perplexity", 0, "", "",
     "compute perplexity from the output of translate --scores on stdin; REFERENCE is the text "
     "for perplexity per word"},
    {"word-scores", 0, "", "", "stdin is the output of translate --word-scores"},
    {"alpha", 0, "A", "0.6", "length penalty with which --scores were computed"},
    {"length-penalty", 0, "FORM", "gnmt", "its form: gnmt or power", "",
     base::texts_of<decode::kLengthPenaltyWords>},
    {.help = "Significance"},
    {"confidence", 0, "", "", "print a 95 % confidence interval from bootstrap resampling"},
    {"confidence-n", 0, "N", "1000", "number of samples of --confidence"},
    {"paired-bs", 0, "", "", "compare each system with the first by paired bootstrap resampling"},
    {"paired-bs-n", 0, "N", "1000", "number of samples of --paired-bs"},
    {"paired-ar", 0, "", "",
     "compare each system with the first by paired approximate randomization"},
    {"paired-ar-n", 0, "N", "10000", "number of samples of --paired-ar"},
    {"seed", 0, "N", "12345",
     "random seed, or none for a different one in each run; also set by $SACREBLEU_SEED",
     "SACREBLEU_SEED"},
    {.help = "Scores by length"},
    {"by-length", 0, "", "", "print scores of lines grouped by the length of the first reference"},
    {"source", 0, "FILE", "",
     "source lines, for comet and comet-qe; with --by-length: group by their length"},
    {"length-bounds", 0, "LIST", "10,20,30,40,50,60",
     "with --by-length: lower bounds of the groups after the first"},
    {.help = "Output"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    {"format", 'f', "FORMAT", "text",
     "output format: text, json, latex or tsv; also set by $SACREBLEU_FORMAT", "SACREBLEU_FORMAT",
     base::texts_of<kFormatWords>},
    {"json", 0, "", "", "same as --format json"},
    {"width", 'w', "DIGITS", "1", "number of decimal places"},
    {"score-only", 'b', "", "", "print only the score"},
    {"short", 0, "", "", "print short signatures"},
};

// sacreBLEU's names.  Its short names of several letters would be parsed as several options.
constexpr cli::Alias kAliases[] = {
    {"metrics", "metric"},          {"input", "systems"},        {"num-refs", "references-in-tsv"},
    {"sentence-level", "sentence"}, {"smooth-method", "smooth"}, {"paired-jobs", "threads"},
    {"-tok", "tokenize"},           {"-lc", "lowercase"},        {"-s", "smooth"},
    {"-sv", "smooth-value"},        {"-sl", "sentence"},         {"-sh", "short"},
    {"-nr", "references-in-tsv"},   {"-cc", "chrf-char-order"},  {"-cw", "chrf-word-order"}};

constexpr std::string_view kNoTestSets =
    "score has no test sets; it reads sources and references from files";
constexpr std::string_view kNoColors =
    "the output has no colors; NO_COLOR disables those of messages";
constexpr cli::ForeignOption kForeign[] = {
    {"--list", kNoTestSets},     {"--echo", kNoTestSets},   {"--test-set", kNoTestSets},
    {"--download", kNoTestSets}, {"--cite", kNoTestSets},   {"--citation", kNoTestSets},
    {"--origlang", kNoTestSets}, {"--subset", kNoTestSets}, {"--detail", kNoTestSets},
    {"-nc", kNoColors},          {"--no-color", kNoColors}, {"--encoding", "text is UTF-8"}};

constexpr cli::ToolDescription kTool = {
    .name = "score",
    .purpose = "Compute BLEU, chrF, TER and other metrics of translations.",
    .usage = kUsage,
    .options = kOptions,
    .operands = "REFERENCE: a file of reference translations, line-aligned with stdin",
    .aliases = kAliases,
    .foreign = kForeign,
};

// Each line has its own references, so the signature with their number is computed per line.
void score_sentences(const Request& request, metrics::CorpusReader& corpus, base::OutputFile& out) {
  if (request.metrics.size() > 1) base::fail("--sentence takes one metric");
  if (corpus.systems() > 1) base::fail("--sentence takes one system");
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

// Tokenized text makes only BLEU incomparable.
void warn_of_tokenized(const cli::Options& options, const Request& request,
                       const metrics::CorpusStatistics& statistics) {
  constexpr std::uint64_t kEnough = 100;  // sacreBLEU's threshold
  if (options.flag("force") || request.metrics.front()->name() != "BLEU") return;
  for (const auto count : statistics.tokenized) {
    if (count < kEnough) continue;
    cli::report_for(options).warning(base::concat(
        count,
        " lines end in ' .': the text looks tokenized, so its score is not comparable; "
        "use --force to suppress this warning"));
  }
}

// The mark is kept, because scores must be those of sacreBLEU; but editors add it unseen, and the
// first word no longer matches.
void warn_of_marks(const cli::Options& options, const metrics::CorpusReader& corpus) {
  if (options.flag("remove-bom")) return;
  for (const auto& file : corpus.files_with_marks()) {
    cli::report_for(options).warning(file +
                                     ": begins with a byte order mark, which is scored as text, as "
                                     "sacreBLEU does; --remove-bom removes it");
  }
}

cli::Progress::Task sampling_task(const metrics::Sampling& sampling) {
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
  cli::Progress progress(report, sampling_task(*request.confidence));
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
    // As in sacreBLEU, a score of zero has no interval.
    if (request.confidence && confidences[m].mean != 0) results.back().confidence = confidences[m];
  }
  const bool json =
      request.format == Format::kJson && request.text.detail == metrics::Detail::kFull;
  return json ? metrics::json_of(results, request.text.digits) : lines_of(results, request.text);
}

std::vector<metrics::SystemScores> scores_of(const Request& request,
                                             const metrics::CorpusStatistics& statistics,
                                             const base::Report& report) {
  cli::Progress progress(report, sampling_task(request.test.value_or(metrics::Sampling{})));
  return compare_systems(
      statistics, request.metrics, request.test,
      {request.measuring.threads, [&](std::uint64_t samples) { progress.update(samples); }});
}

// For equal scores the tests report the smallest possible p-value, as if the difference were
// certain.
void warn_of_equal_scores(const metrics::SystemsReport& report, const base::Report& own_report) {
  for (const auto& system : report.systems) {
    for (std::size_t m = 0; m < report.metrics.size(); ++m) {
      if (!system.scores[m].is_equal) continue;
      own_report.warning(base::concat(system.name, " has the same ", report.metrics[m],
                                      " as the baseline in every sample: its p-value is "
                                      "meaningless"));
    }
  }
}

std::string several_systems(const Request& request, const metrics::CorpusStatistics& statistics,
                            const base::Report& own_report) {
  metrics::SystemsReport report;
  report.test = request.test;
  report.systems = scores_of(request, statistics, own_report);
  const auto names = system_names(request.files);
  const bool marks_baseline = request.test && request.format != Format::kTsv;
  for (std::size_t s = 0; s < names.size(); ++s)
    report.systems[s].name = (marks_baseline && s == 0 ? "Baseline: " : "") + names[s];
  const auto confidences = confidences_of(request, statistics, own_report);
  for (std::size_t m = 0; m < confidences.size(); ++m)
    report.systems.front().scores[m].confidence = confidences[m];
  for (const auto& metric : request.metrics) {
    report.metrics.push_back(metric->name());
    report.signatures.push_back(signature_of(*metric, statistics.references, request.test));
  }
  warn_of_equal_scores(report, own_report);
  if (request.format == Format::kTsv) return score_lines(report, statistics.segments);
  if (request.format == Format::kJson) return json_of(report, request.text.digits);
  return table_of(
      report,
      request.format == Format::kText ? metrics::TableStyle::kText : metrics::TableStyle::kLatex,
      request.text);
}

std::vector<std::string> paths_of(const metrics::CorpusFiles& files) {
  auto paths = files.systems;
  paths.insert(paths.end(), files.references.begin(), files.references.end());
  return paths;
}

// Checks the number of systems.  Like sacreBLEU, these errors exit with status 1.
void check_systems(const Request& request, const metrics::CorpusReader& corpus) {
  if (request.test && corpus.systems() == 1)
    base::fail("a paired test needs several systems, given with --systems");
  if (request.confidence && corpus.systems() > 1)
    base::fail("--confidence takes one system; use --paired-bs or --paired-ar for several");
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  check_score_options(options);
  const bool chooses = options.has("mbr") || options.flag("rerank");
  if (chooses || options.flag("perplexity") || !options.has("systems"))
    require_one_stdin(options, ImpliedStdin::kYes);
  if (options.flag("perplexity")) return print_perplexity(options);
  if (options.has("mbr")) return choose_by_metric(options);
  if (options.flag("rerank")) return choose_by_features(options);
  if (options.operands().empty() && needs_references(options))
    throw base::UsageError("missing operand");
  auto request = request_of(options);
  const base::Report report = cli::report_for(options);
  metrics::CorpusReader corpus(request.files);
  base::OutputFile out(options.text("output"));
  const bool sentences = options.flag("sentence");
  const auto paths = paths_of(request.files);
  std::optional<cli::Progress> progress(std::in_place, report,
                                        cli::Progress::Task{.what = "scoring",
                                                            .unit = "lines",
                                                            .output = sentences ? &out : nullptr,
                                                            .inputs = paths});
  request.measuring.progress = [&](std::uint64_t segments, std::uint64_t bytes) {
    progress->update({.done = segments, .bytes = bytes});
  };
  if (sentences) {
    score_sentences(request, corpus, out);
    if (corpus.segments() == 0) base::fail(corpus.name(), ": no lines to score");
    warn_of_marks(options, corpus);
    return out.commit();
  }
  if (options.flag("by-length")) {
    const auto text = scores_by_length(options, request, corpus, system_names(request.files));
    progress.reset();
    warn_of_marks(options, corpus);
    out.write(text);
    return out.commit();
  }
  check_systems(request, corpus);
  using Keep = metrics::CorpusStatistics::Keep;
  const bool resamples = request.confidence || request.test;
  const auto statistics = measure_corpus(corpus, request.metrics, request.measuring,
                                         resamples ? Keep::kRows : Keep::kSums);
  progress.reset();
  if (statistics.segments == 0) base::fail(corpus.name(), ": no lines to score");
  warn_of_marks(options, corpus);
  warn_of_tokenized(options, request, statistics);
  for (const auto& metric : request.metrics) {
    if (const auto note = metric->note(); !note.empty()) report.note(note);
  }
  out.write(corpus.systems() == 1 && request.format != Format::kTsv
                ? one_system(request, statistics, report)
                : several_systems(request, statistics, report));
  out.commit();
}

}  // namespace awend::tools
