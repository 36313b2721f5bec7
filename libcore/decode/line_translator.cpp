#include "decode/line_translator.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "base/numbers.hpp"
#include "data/corpus.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {

LineTranslator::LineTranslator(const Parts& parts, Settings settings)
    : translator_(parts.translator),
      vocabulary_(parts.vocabularies.target),
      out_(parts.out),
      inputs_(parts.vocabularies.source),
      long_lines_(parts.report),
      long_prefixes_(parts.report),
      settings_(std::move(settings)) {}

void LineTranslator::read(base::LineReader& in) {
  std::string_view line;
  for (;;) {
    const bool full = settings_.pace == Pace::kStream ? !translator_.accepts_input() : true;
    if (translator_.has_work() && (full || in.waits())) {
      step();
    } else if (next(in, line)) {
      put(line, in);
    } else {
      return;
    }
  }
}

bool LineTranslator::next(base::LineReader& in, std::string_view& line) {
  try {
    return in.next(line);
  } catch (const base::Error&) {
    drain();
    throw;
  }
}

void LineTranslator::drain() {
  while (translator_.has_work()) step();
}

void LineTranslator::finish() {
  drain();
  long_lines_.summarize(": translated in pieces");
  long_prefixes_.summarize(" of prefixes");
  std::string_view line;
  if (settings_.prefixes == nullptr || !settings_.prefixes->next(line)) return;
  base::fail(settings_.prefixes->name(), ": more lines than the input's ", lines_);
}

std::vector<std::uint32_t> LineTranslator::next_prefix(const base::LineReader& in) {
  std::vector<std::uint32_t> ids;
  if (settings_.prefixes == nullptr) return ids;
  std::string_view line;
  if (!next(*settings_.prefixes, line)) {
    drain();
    base::fail(settings_.prefixes->name(), ": ends after ", settings_.prefixes->line_number(),
               " lines, before ", in.name(), ":", in.line_number());
  }
  data::append_ids(as_tokens(line, *settings_.prefixes, RawText::Side::kTarget), vocabulary_, ids);
  return ids;
}

std::string_view LineTranslator::as_tokens(std::string_view line, const base::LineReader& in,
                                           RawText::Side side) {
  if (settings_.raw == nullptr) return line;
  try {
    return settings_.raw->tokens_of(line, in, side);
  } catch (const base::Error&) {
    drain();
    throw;
  }
}

void LineTranslator::put(std::string_view text, const base::LineReader& in) {
  const auto line = as_tokens(text, in, RawText::Side::kSource);
  auto ids = inputs_.ids_of(line);
  require_valid(ids, in);
  if (const auto longest = translator_.longest_piece(); ids.size() > longest) {
    long_lines_.add(base::concat(
        in.name(), ":", in.line_number(), ": ", ids.size(), " tokens are more than ", longest,
        ", the longest input: translated in ", base::divide_up(ids.size(), longest), " pieces"));
  }
  auto words = settings_.view != nullptr ? text::spaced_words(line) : std::vector<std::string>();
  const auto prefix = next_prefix(in);
  warn_of_long_prefix(prefix, ids.size());
  try {
    translator_.put(ids, prefix);
  } catch (const base::Error& error) {
    drain();
    base::fail(settings_.prefixes->name(), ":", settings_.prefixes->line_number(), ": ",
               error.what());
  }
  if (settings_.view != nullptr)
    in_progress_.push_back({lines_put_++, std::move(words), std::move(ids)});
}

/// Models with requirements for a line read it as a whole.
void LineTranslator::require_valid(std::span<const std::uint32_t> ids, const base::LineReader& in) {
  if (!settings_.source_problem) return;
  auto problem = settings_.source_problem(ids);
  if (!problem && ids.size() > translator_.longest_piece()) {
    problem = base::concat(ids.size(), " tokens are more than ", translator_.longest_piece(),
                           ", the longest input, and the model does not read lines in pieces");
  }
  if (!problem) return;
  drain();
  base::fail(in.name(), ':', in.line_number(), ": ", *problem);
}

void LineTranslator::warn_of_long_prefix(const std::vector<std::uint32_t>& prefix,
                                         std::size_t tokens) {
  // The prefix of a line belongs to its first piece.
  const std::size_t pieces =
      std::max<std::size_t>(base::divide_up(tokens, translator_.longest_piece()), 1);
  const auto longest = translator_.longest_output(tokens / pieces);
  if (prefix.size() <= longest) return;
  long_prefixes_.add(base::concat(
      settings_.prefixes->name(), ":", settings_.prefixes->line_number(), ": ", prefix.size(),
      " tokens are more than ", longest, ", the longest output: the rest is ignored"));
}

void LineTranslator::step() {
  translator_.step();
  const std::uint64_t before = lines_;
  while (const auto answer = translator_.take()) {
    const auto translations = rendered(*answer);
    out_.write(answer_text(settings_.output, lines_++, translations));
    if (!in_progress_.empty()) in_progress_.pop_front();
  }
  if (lines_ == before) return;
  out_.flush();
  if (settings_.after_lines) settings_.after_lines(lines_);
}

std::vector<RenderedHypothesis> LineTranslator::rendered(
    const std::vector<Hypothesis>& hypotheses) {
  std::vector<RenderedHypothesis> all;
  for (const auto& hypothesis : hypotheses) {
    const auto rank = all.empty() ? AnswerView::Rank::kBest : AnswerView::Rank::kOther;
    all.push_back(render(hypothesis, vocabulary_));
    if (settings_.view != nullptr) settings_.view->annotate(in_progress_.front(), rank, all.back());
    if (settings_.raw != nullptr) settings_.raw->add_text(lines_, all.back());
  }
  return all;
}

}  // namespace awend::decode
