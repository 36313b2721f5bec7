#include "score_mbr.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/parallel.hpp"
#include "cli/progress.hpp"
#include "filter_options.hpp"
#include "metrics/mbr/expected_utility.hpp"
#include "metrics/numbers.hpp"
#include "metrics/python_space.hpp"
#include "score_candidates.hpp"
#include "score_comet.hpp"
#include "score_metrics.hpp"
#include "score_request.hpp"

namespace awend::tools {
namespace {

using metrics::WeightedText;

/// What belongs to a source line.
struct Item {
  CandidateList list;
  std::optional<CandidateList> references;
  std::string source = {};
};

struct Choice {
  CandidateList list;
  std::vector<double> utilities;
};

/// The lists of all source lines, in step.
class ItemReader {
 public:
  explicit ItemReader(const cli::Options& options)
      : policy_(invalid_utf8_of(options)), candidates_("-", policy_, each_of(options)) {
    if (!options.operands().empty())
      references_.emplace(options.operands()[0], policy_, each_of(options));
    if (needs_source(options)) source_.emplace(options.text("source"), policy_);
  }

  std::optional<Item> next() {
    auto list = candidates_.next();
    std::optional<CandidateList> references;
    if (references_) require_same(references_->lines(), (references = references_->next()), list);
    std::string_view source;
    if (source_) {
      std::optional<CandidateList> line;
      if (source_->next(source)) line.emplace();
      require_same(*source_, line, list);
    }
    if (!list) return std::nullopt;
    return Item{std::move(*list), std::move(references), std::string(source)};
  }
  const CandidateReader& candidates() const { return candidates_; }

 private:
  static std::uint64_t each_of(const cli::Options& options) {
    return options.integer<std::uint64_t>("candidates", {0, 1'000'000});
  }
  /// Both or neither have a next line.
  void require_same(const base::LineReader& other, const std::optional<CandidateList>& found,
                    const std::optional<CandidateList>& list) const {
    if (found.has_value() == list.has_value()) return;
    const auto lines = candidates_.count();
    if (found)
      base::fail(other.name(), ": more lines than ", candidates_.lines().name(),
                 ", which has candidates of ", lines);
    base::fail(other.name(), ": nothing for line ", lines - 1, " of ", candidates_.lines().name());
  }

  base::TextPolicy policy_;
  CandidateReader candidates_;
  std::optional<CandidateReader> references_;
  std::optional<base::LineReader> source_;
};

double log_probability(const Candidate& candidate, std::uint64_t line) {
  const auto found = std::ranges::find(candidate.features, "logprob", &metrics::Feature::name);
  if (found == candidate.features.end())
    base::fail("a candidate of line ", line, " has no logprob, which --mbr-scale needs");
  return found->value;
}

/// The texts of a list.  With a scale, their weights are powers of their probabilities, in relation
/// to the greatest one.
std::vector<WeightedText> weighted_texts(const CandidateList& list, double scale) {
  std::vector<WeightedText> texts;
  for (const auto& candidate : list.candidates)
    texts.push_back({.text = metrics::python_rstrip(candidate.text)});
  if (scale == 0) return texts;
  std::vector<double> logs;
  for (const auto& candidate : list.candidates)
    logs.push_back(log_probability(candidate, list.line));
  const auto greatest = std::ranges::max(logs);
  if (!std::isfinite(greatest)) return texts;
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts[i].weight = std::exp(scale * (logs[i] - greatest));
  return texts;
}

Choice choose(metrics::PairwiseScorer& scorer, Item item, double scale) {
  const auto texts = weighted_texts(item.list, item.references ? 0 : scale);
  auto utilities = item.references
                       ? expected_utilities(scorer, texts, weighted_texts(*item.references, scale))
                       : expected_utilities(scorer, texts, texts);
  return {std::move(item.list), std::move(utilities)};
}

/// What is written for a line.
std::string text_of(const Choice& choice, const cli::Options& options, int digits) {
  const auto best = metrics::best_candidate(choice.utilities);
  const auto& text = choice.list.candidates[best].text;
  if (options.flag("sentence")) {
    std::string lines;
    for (const double utility : choice.utilities) lines += metrics::fixed(utility, digits) + "\n";
    return lines;
  }
  if (format_of(options) != Format::kJson) return text + "\n";
  return base::JsonObject(base::kSpacedObject)
             .count("line", choice.list.line)
             .count("candidate", best)
             .number("utility", choice.utilities[best])
             .text("text", text)
             .str() +
         "\n";
}

/// A stream of items; `scorers` has one for each thread.
void choose_all(const std::function<std::optional<Item>()>& produce,
                const std::vector<metrics::PairwiseScorer*>& scorers, double scale,
                const std::function<void(const Choice&)>& consume) {
  base::Stream<Item, Choice> stream;
  stream.produce = produce;
  stream.transform = [&](unsigned worker, Item item) {
    return choose(*scorers[worker], std::move(item), scale);
  };
  stream.consume = consume;
  base::ordered_map(static_cast<unsigned>(scorers.size()), stream);
}

/// COMET: all lines are read first, so that lists that do not match are found before the work, and
/// the threads compute together.
void choose_by_comet(const cli::Options& options, ItemReader& reader, double scale,
                     const std::function<void(const Choice&)>& consume) {
  std::deque<Item> items;
  while (auto item = reader.next()) items.push_back(std::move(*item));
  if (items.empty()) return;
  const auto comet = make_comet_pairs(options);
  const auto produce = [&]() -> std::optional<Item> {
    if (items.empty()) return std::nullopt;
    auto item = std::move(items.front());
    items.pop_front();
    comet->set_source(metrics::python_rstrip(item.source));
    return item;
  };
  choose_all(produce, {comet.get()}, scale, consume);
  cli::report_for(options).note(comet->note());
}

}  // namespace

void choose_by_metric(const cli::Options& options) {
  if (options.operands().size() > 1)
    throw base::UsageError("--mbr takes at most one list of references");
  const auto scale = options.real("mbr-scale", {.min = 0, .max = 1000});
  const auto digits = digits_of(options);
  ItemReader reader(options);
  base::OutputFile out(options.text("output"));
  const base::Report report = cli::report_for(options);
  const std::vector<std::string> inputs = {"-"};
  cli::Progress progress(report,
                         {.what = "choosing", .unit = "lines", .output = &out, .inputs = inputs});
  const auto consume = [&](const Choice& choice) {
    out.write(text_of(choice, options, digits));
    progress.update({.done = choice.list.line + 1, .bytes = choice.list.end_bytes});
  };
  if (needs_source(options)) {
    choose_by_comet(options, reader, scale, consume);
  } else {
    const auto metrics = metrics_of(options);
    std::vector<std::unique_ptr<metrics::PairwiseScorer>> owned;
    std::vector<metrics::PairwiseScorer*> scorers;
    for (unsigned i = 0; i < threads_of(options); ++i) {
      owned.push_back(metrics.front()->make_pairwise_scorer());
      scorers.push_back(owned.back().get());
    }
    choose_all([&] { return reader.next(); }, scorers, scale, consume);
  }
  require_candidates(reader.candidates());
  note_removed_mark(report, reader.candidates().lines());
  out.commit();
}

}  // namespace awend::tools
