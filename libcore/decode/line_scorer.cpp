#include "decode/line_scorer.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "text/n_best_line.hpp"

namespace awend::decode {
namespace {

// Enough for full batches of many threads.  In an n-best list, the translations of one source stay
// together.
constexpr std::size_t kWindow = 1024;

[[noreturn]] void fail_for_lines(const base::LineReader& longer, const base::LineReader& shorter) {
  base::fail(shorter.name(), ": ends after ", shorter.line_number(), " lines, before ",
             longer.place());
}

}  // namespace

void LineScorer::run(base::LineReader& sources, base::LineReader& targets) {
  Given given;
  const bool list = settings_.n_best > 0;
  try {
    while (list ? next_of_list(sources, targets, given) : next(sources, targets, given))
      put(std::move(given), targets);
  } catch (const base::Error&) {
    flush();
    throw;
  }
  flush();
}

void LineScorer::put(Given given, const base::LineReader& targets) {
  const bool new_line = waiting_.empty() || waiting_.back().source.number != given.source.number;
  if (new_line && waiting_.size() >= kWindow) flush();
  const std::uint32_t tokens = given.pair().tokens();
  if (!scorer_.fits(tokens)) {
    base::fail(targets.place(), ": a side of the pair has ", tokens - 1,
               " tokens, more than the model or this device can score");
  }
  waiting_.push_back(std::move(given));
}

bool LineScorer::next(base::LineReader& sources, base::LineReader& targets, Given& given) {
  std::string_view source, target;
  const bool more = sources.next(source);
  if (more) given.source = source_line(source, sources);
  if (targets.next(target) != more)
    more ? fail_for_lines(sources, targets) : fail_for_lines(targets, sources);
  if (more) given.target = target_tokens(target, targets, given.source);
  return more;
}

/// The tokens of a translation of `source`, whose target language it sets.
LineCodec::Tokens LineScorer::target_tokens(std::string_view text, const base::LineReader& in,
                                            SourceLine& source) {
  return base::at_line(in, [&] {
    auto tokens = model_.targets.tokens_of(text, settings_.form);
    source.languages.target = model_.target_language.take(tokens.ids, tokens.texts);
    if (!tokens.ids.empty()) model_.require_target(tokens.ids);
    return tokens;
  });
}

SourceLine LineScorer::source_line(std::string_view text, const base::LineReader& in) {
  ++lines_;
  return base::at_line(in, [&] { return model_.read_source(text, settings_.form); });
}

bool LineScorer::next_of_list(base::LineReader& sources, base::LineReader& targets, Given& given) {
  std::string_view target, source;
  if (!targets.next(target)) return false;
  const auto entry = text::parse_n_best_line(target);
  if (!entry) base::fail(targets.place(), ": not an entry of an n-best list");
  if (entry->number + 1 < lines_) {
    base::fail(targets.place(), ": line ", entry->number, " comes after line ", lines_ - 1);
  }
  while (lines_ <= entry->number) {
    if (!sources.next(source)) fail_for_lines(targets, sources);
    source_ = source_line(source, sources);
  }
  given.source = source_;
  given.target = target_tokens(entry->text, targets, given.source);
  return true;
}

void LineScorer::flush() {
  std::vector<SentencePair> pairs;
  for (const auto& given : waiting_) pairs.push_back(given.pair());
  const auto scores = scorer_.scores(pairs);
  const auto& search = model_.settings.search;
  std::vector<Translation> of_line;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Given& given = waiting_[i];
    Hypothesis hypothesis{.ids = given.target.ids};
    // As in a search, an empty line has an empty translation with probability 1.
    const bool certain = given.source.ids.empty() && given.target.ids.empty();
    // That of the language is no part of the translation.
    const std::size_t first = given.source.languages.target ? 1 : 0;
    if (!certain)
      hypothesis.of_tokens.assign(scores[i].begin() + static_cast<std::ptrdiff_t>(first),
                                  scores[i].end());
    hypothesis.log_probability =
        std::accumulate(hypothesis.of_tokens.begin(), hypothesis.of_tokens.end(), 0.0);
    const auto length = static_cast<std::uint32_t>(given.target.ids.size() + 1);
    hypothesis.score =
        hypothesis.log_probability / length_penalty(length, search.alpha, search.length_penalty);
    of_line.push_back({std::move(hypothesis), std::move(given.target.texts)});
    if (i + 1 < waiting_.size() && waiting_[i + 1].source.number == given.source.number) continue;
    write(given.source, std::exchange(of_line, {}));
  }
  waiting_.clear();
  out_.flush();
}

void LineScorer::write(const SourceLine& line, std::vector<Translation> translations) {
  std::ranges::stable_sort(translations, std::ranges::greater(), &Translation::score);
  if (settings_.n_best > 0)
    translations.resize(std::min<std::size_t>(translations.size(), settings_.n_best));
  model_.complete(line, settings_.form, translations);
  out_.write(answer_text(settings_.output, line.number, translations));
}

}  // namespace awend::decode
