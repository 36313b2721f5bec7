#include "score_perplexity.hpp"

#include <optional>

#include "base/files.hpp"
#include "cli/progress.hpp"
#include "decode/search.hpp"
#include "filter_options.hpp"
#include "metrics/numbers.hpp"
#include "metrics/perplexity.hpp"
#include "metrics/python_space.hpp"

namespace awend::tools {
namespace {

metrics::Perplexity read_perplexity(const cli::Options& options) {
  const auto alpha = options.real("alpha", {.min = 0, .max = 100});
  const auto penalty = options.choice<decode::kLengthPenaltyWords>("length-penalty");
  const auto divisor = [=](std::uint64_t tokens) {
    return decode::length_penalty(static_cast<std::uint32_t>(tokens), alpha, penalty);
  };
  const auto form =
      options.flag("word-scores") ? metrics::ScoreForm::kTokens : metrics::ScoreForm::kScore;
  for (const auto* name : {"alpha", "length-penalty"}) {
    if (form == metrics::ScoreForm::kTokens && options.has(name))
      throw base::UsageError(
          base::concat("--", name, " is in --scores; --word-scores have no length penalty"));
  }
  base::LineReader scores("-", invalid_utf8_of(options));
  std::optional<base::LineReader> words;
  if (!options.operands().empty()) words.emplace(options.operands()[0], invalid_utf8_of(options));
  std::vector<std::string> files = options.operands();
  files.emplace_back("-");
  const base::Report report = cli::report_for(options);
  cli::Progress progress(report, {.what = "reading", .unit = "lines", .inputs = files});
  metrics::Perplexity perplexity;
  for (std::string_view line, text;;) {
    const bool more = scores.next(line);
    if (words && words->next(text) != more) {
      const auto expected = base::count_lines(scores), found = base::count_lines(*words);
      base::fail(words->name(), ": ", found, " lines, but ", scores.name(), " has ", expected);
    }
    if (!more) break;
    const auto where = scores.place();
    perplexity.add(metrics::parse_scored_line(line, form, divisor, where),
                   words ? static_cast<std::uint64_t>(metrics::count_words(text)) : 0);
    progress.update({.done = scores.line_number(),
                     .bytes = scores.position_bytes() + (words ? words->position_bytes() : 0)});
  }
  note_removed_mark(report, scores);
  if (words) note_removed_mark(report, *words);
  if (scores.line_number() == 0) base::fail(scores.name(), ": no lines to score");
  if (perplexity.tokens() == 0) base::fail(scores.name(), ": no tokens to score");
  if (words && perplexity.words() == 0) base::fail(words->name(), ": no words");
  return perplexity;
}

}  // namespace

void print_perplexity(const cli::Options& options) {
  if (options.operands().size() > 1)
    throw base::UsageError("--perplexity takes at most one REFERENCE");
  const auto perplexity = read_perplexity(options);
  const auto digits = options.integer<int>("width", {.min = 0, .max = 20});
  base::OutputFile out(options.text("output"));
  out.write(base::concat("perplexity per token = ", metrics::fixed(perplexity.per_token(), digits),
                         " (tokens = ", perplexity.tokens(), ")\n"));
  if (!options.operands().empty()) {
    out.write(base::concat("perplexity per word = ", metrics::fixed(perplexity.per_word(), digits),
                           " (words = ", perplexity.words(), ")\n"));
  }
  out.commit();
}

}  // namespace awend::tools
