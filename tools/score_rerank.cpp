#include "score_rerank.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/json.hpp"
#include "cli/progress.hpp"
#include "feature_reader.hpp"
#include "filter_options.hpp"
#include "metrics/numbers.hpp"
#include "metrics/python_space.hpp"
#include "metrics/rerank/weight_search.hpp"
#include "metrics/statistics/numpy_random.hpp"
#include "score_metrics.hpp"
#include "score_request.hpp"

namespace awend::tools {
namespace {

/// The weights of the command line, "logprob=1,words=0.5", or of a file.
std::map<std::string, double> given_weights(const cli::Options& options) {
  if (options.has("weights-file")) return read_weights(options.text("weights-file"));
  std::map<std::string, double> weights;
  for (const auto& [name, text] : options.named_values("weights")) {
    const auto weight = base::find_number<double>(text);
    if (!weight || !base::RealRange().contains(*weight))
      throw base::UsageError(
          base::concat("option '--weights': expected a number, got '", text, "'"));
    weights.emplace(name, *weight);
  }
  return weights;
}

/// Where the search begins if no weights are given: at the order of the list.
std::map<std::string, double> default_start(const std::vector<std::string>& names) {
  for (const char* name : {"score", "logprob"}) {
    if (std::ranges::find(names, name) != names.end()) return {{name, 1}};
  }
  return {};
}

std::string text_of(const CandidateList& list, std::size_t best, double sum, bool is_json) {
  const auto& text = list.candidates[best].text;
  if (!is_json) return text + "\n";
  return base::JsonObject(base::kSpacedObject)
             .count("line", list.line)
             .count("candidate", best)
             .number("sum", sum)
             .text("text", text)
             .str() +
         "\n";
}

/// Writes the best candidate of each list.
class ChoiceWriter {
 public:
  ChoiceWriter(const cli::Options& options, const base::Report& report, base::OutputFile& out)
      : is_json_(format_of(options) == Format::kJson),
        out_(out),
        progress_(report,
                  {.what = "choosing", .unit = "lines", .output = &out_, .inputs = kInputs}) {}

  void write(const FeatureList& features, std::span<const double> weights) {
    metrics::CandidateFeatures one(weights.size());
    one.begin_list();
    for (const auto& values : features.values) one.add(values);
    const auto best = one.best(0, weights);
    out_.write(text_of(features.list, best, one.sum(best, weights), is_json_));
    progress_.update({.done = features.list.line + 1, .bytes = features.list.end_bytes});
  }
  void commit() { out_.commit(); }

 private:
  inline static const std::vector<std::string> kInputs = {"-"};
  bool is_json_;
  base::OutputFile& out_;
  cli::Progress progress_;
};

/// The lines of the references in step with lists.
class References {
 public:
  References(const cli::Options& options, const base::TextPolicy& policy) {
    for (const auto& path : options.operands())
      readers_.push_back(std::make_unique<base::LineReader>(path, policy));
  }

  /// The references of the next list.
  std::vector<std::string> next(const CandidateReader& candidates) {
    std::vector<std::string> texts;
    for (const auto& reader : readers_) {
      std::string_view line;
      if (!reader->next(line)) {
        base::fail(reader->name(), ": ", reader->line_number(), " lines, but ",
                   candidates.lines().name(), " has more");
      }
      texts.emplace_back(line);
    }
    return texts;
  }
  void require_end(const CandidateReader& candidates) {
    for (const auto& reader : readers_) {
      std::string_view line;
      if (reader->next(line)) {
        base::fail(reader->name(), ": more lines than ", candidates.lines().name(),
                   ", which has candidates of ", candidates.count());
      }
    }
  }

 private:
  std::vector<std::unique_ptr<base::LineReader>> readers_;
};

/// A development set and its lists.
struct Development {
  metrics::TuningSet set;
  std::vector<FeatureList> lists;
};

Development read_development(const cli::Options& options, FeatureReader& reader,
                             const metrics::Metric& metric) {
  Development all{.set = {.features = metrics::CandidateFeatures(reader.names().size())},
                  .lists = {}};
  References references(options, {invalid_utf8_of(options), base::ByteOrderMark::kRemove});
  const auto worker = metric.make_worker();
  std::vector<std::int64_t> row(metric.width());
  while (auto list = reader.next()) {
    const auto texts = references.next(reader.candidates());
    std::vector<std::string_view> views;
    for (const auto& text : texts) views.push_back(metrics::python_rstrip(text));
    worker->set_references(views);
    all.set.features.begin_list();
    for (std::size_t i = 0; i < list->values.size(); ++i) {
      all.set.features.add(list->values[i]);
      worker->measure(metrics::python_rstrip(list->list.candidates[i].text), row);
      all.set.statistics.insert(all.set.statistics.end(), row.begin(), row.end());
    }
    all.lists.push_back(std::move(*list));
  }
  references.require_end(reader.candidates());
  require_candidates(reader.candidates());
  return all;
}

void tune(const cli::Options& options, FeatureReader& reader, const base::Report& report) {
  const auto metrics = metrics_of(options);
  const auto& metric = *metrics.front();
  const auto& names = reader.names();
  const auto given = given_weights(options);
  const auto seed = seed_of(options);
  const metrics::WeightSearch search{
      .start = weights_of(given.empty() ? default_start(names) : given, names),
      .starts = options.integer<std::size_t>("tune-starts", {1, 100'000}),
      .seed = seed ? *seed : metrics::unpredictable_seed(),
      .threads = threads_of(options)};
  const auto all = read_development(options, reader, metric);
  base::OutputFile out(options.text("tune")), choices_out(options.text("output"));
  const auto found = search_weights(all.set, metric, search);
  report.note(base::concat(metric.name(), " ", metrics::fixed(found.score, 2), ", ",
                           metrics::fixed(found.start_score, 2), " at the start"));
  out.write(weights_text(names, found.weights));
  out.commit();
  ChoiceWriter choices(options, report, choices_out);
  for (const auto& list : all.lists) choices.write(list, found.weights);
  choices.commit();
}

}  // namespace

void choose_by_features(const cli::Options& options) {
  const base::Report report = cli::report_for(options);
  const auto weights_by_name = given_weights(options);
  FeatureReader reader(
      {.candidates = "-",
       .columns = options.has("features") ? std::optional(options.text("features")) : std::nullopt,
       .policy = invalid_utf8_of(options),
       .each = options.integer<std::uint64_t>("candidates", {0, 1'000'000})});
  if (options.has("tune")) return tune(options, reader, report);
  base::OutputFile out(options.text("output"));
  ChoiceWriter choices(options, report, out);
  if (!reader.names().empty()) {
    const auto weights = weights_of(weights_by_name, reader.names());
    while (const auto list = reader.next()) choices.write(*list, weights);
  }
  require_candidates(reader.candidates());
  choices.commit();
}

}  // namespace awend::tools
