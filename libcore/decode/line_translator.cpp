#include "decode/line_translator.hpp"

#include "base/concat.hpp"
#include "data/corpus.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {
namespace {

template <class Texts>
std::string joined(const Texts& tokens) {
  std::string line;
  for (const auto& token : tokens) {
    if (!line.empty()) line += ' ';
    line += token;
  }
  return line;
}

std::vector<std::string> tokens_in(std::string_view line) {
  std::vector<std::string> tokens;
  text::for_each_word(text::trim(line).words,
                      [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

}  // namespace

LineTranslator::LineTranslator(Translator& translator, const text::Vocabulary& vocabulary,
                               base::OutputFile& out, const base::Report& report, Settings settings)
    : translator_(translator),
      vocabulary_(vocabulary),
      out_(out),
      report_(report),
      settings_(std::move(settings)) {}

void LineTranslator::read(base::LineReader& in) {
  std::string_view line;
  for (;;) {
    const bool full = settings_.pace == Pace::kStream ? !translator_.wants_more() : true;
    if (translator_.works() && (full || in.waits())) {
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
  while (translator_.works()) step();
}

void LineTranslator::finish() {
  drain();
  std::string_view line;
  if (settings_.prefixes == nullptr || !settings_.prefixes->next(line)) return;
  base::fail(settings_.prefixes->name(), ": more lines than the input's ", counts_.lines);
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
  data::append_ids(line, vocabulary_, ids);
  return ids;
}

void LineTranslator::put(std::string_view line, const base::LineReader& in) {
  std::vector<std::uint32_t> ids;
  data::append_ids(line, vocabulary_, ids);
  for (const std::uint32_t id : ids) counts_.unknown_pieces += id == vocabulary_.unknown() ? 1 : 0;
  counts_.pieces += ids.size();
  if (ids.size() > translator_.longest_piece()) {
    ++counts_.long_lines;
    report_.warning(base::concat(in.name(), ":", in.line_number(), ": ", ids.size(),
                                 " tokens are more than ", translator_.longest_piece(),
                                 ", the longest input: translated in pieces"));
  }
  translator_.put(ids, next_prefix(in));
  if (settings_.view != nullptr)
    in_work_.push_back({lines_put_++, tokens_in(line), std::move(ids)});
}

void LineTranslator::step() {
  translator_.step();
  const std::uint64_t before = counts_.lines;
  while (const auto answer = translator_.take()) {
    write(counts_.lines++, *answer);
    if (!in_work_.empty()) in_work_.pop_front();
  }
  if (counts_.lines == before) return;
  out_.flush();
  if (settings_.after_lines) settings_.after_lines(counts_.lines);
}

LineTranslator::Shown LineTranslator::shown(const Hypothesis& hypothesis, AnswerView::Rank rank) {
  if (settings_.view != nullptr) {
    auto answer = settings_.view->look(in_work_.front(), hypothesis, rank);
    return {joined(answer.tokens),
            settings_.view->settings().alignment ? " ||| " + answer.alignment : std::string()};
  }
  std::vector<std::string_view> tokens;
  for (const std::uint32_t id : hypothesis.ids) tokens.push_back(vocabulary_.piece(id));
  return {joined(tokens), {}};
}

void LineTranslator::write_n_best(std::uint64_t line, const std::vector<Hypothesis>& hypotheses) {
  auto rank = AnswerView::Rank::kBest;
  for (const Hypothesis& hypothesis : hypotheses) {
    const auto [tokens, alignment] = shown(hypothesis, rank);
    out_.write(base::concat(line, " ||| ", tokens,
                            " ||| logprob= ", static_cast<float>(hypothesis.log_probability),
                            " ||| ", static_cast<float>(hypothesis.score), alignment, "\n"));
    rank = AnswerView::Rank::kOther;
  }
}

void LineTranslator::write(std::uint64_t line, const std::vector<Hypothesis>& hypotheses) {
  if (settings_.output == Output::kNBest) return write_n_best(line, hypotheses);
  const Hypothesis& best = hypotheses.front();
  if (settings_.output == Output::kScores)
    out_.write(base::concat(static_cast<float>(best.score), "\t"));
  if (settings_.output == Output::kWordScores) {
    for (std::size_t i = 0; i < best.of_tokens.size(); ++i)
      out_.write(base::concat(i == 0 ? "" : " ", best.of_tokens[i]));
    out_.write("\t");
  }
  const auto [tokens, alignment] = shown(best, AnswerView::Rank::kBest);
  out_.write(base::concat(tokens, alignment, "\n"));
}

}  // namespace awend::decode
