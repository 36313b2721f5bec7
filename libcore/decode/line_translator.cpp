#include "decode/line_translator.hpp"

#include "base/concat.hpp"
#include "data/corpus.hpp"

namespace awend::decode {
namespace {

// Enough to sort into full batches, little enough to wait for.
constexpr std::size_t kWindowLines = 2000;
constexpr std::size_t kWindowTokens = 100'000;

}  // namespace

void LineTranslator::run(base::LineReader& in, base::OutputFile& out,
                         const std::function<void()>& after_window) {
  std::string_view line;
  for (bool more = true; more;) {
    std::vector<std::vector<std::uint32_t>> window;
    std::size_t tokens = 0;
    while (window.size() < kWindowLines && tokens < kWindowTokens) {
      if (!window.empty() && in.waits()) break;
      more = in.next(line);
      if (!more) break;
      auto& ids = window.emplace_back();
      data::append_ids(line, vocabulary_, ids);
      for (const std::uint32_t id : ids)
        counts_.unknown_pieces += id == vocabulary_.unknown() ? 1 : 0;
      tokens += ids.size();
      counts_.pieces += ids.size();
      if (ids.size() <= translator_.longest_piece()) continue;
      ++counts_.long_lines;
      report_.warning(
          base::concat(in.name(), ":", in.line_number(), ": ", ids.size(), " tokens are more than ",
                       translator_.longest_piece(),
                       ", the longest that --batch-tokens allows: translated in pieces"));
    }
    const auto answers = translator_.translate(window);
    for (const auto& answer : answers) write(counts_.lines++, answer, out);
    if (!more || in.waits()) out.flush();
    if (after_window) after_window();
  }
}

std::string LineTranslator::tokens_of(const Hypothesis& hypothesis) const {
  std::string text;
  for (const std::uint32_t id : hypothesis.ids) {
    if (!text.empty()) text += ' ';
    text += vocabulary_.piece(id);
  }
  return text;
}

void LineTranslator::write(std::uint64_t line, const std::vector<Hypothesis>& hypotheses,
                           base::OutputFile& out) const {
  if (output_ == Output::kNBest) {
    for (const Hypothesis& hypothesis : hypotheses) {
      out.write(base::concat(line, " ||| ", tokens_of(hypothesis),
                             " ||| logprob= ", static_cast<float>(hypothesis.log_probability),
                             " ||| ", static_cast<float>(hypothesis.score), "\n"));
    }
    return;
  }
  const Hypothesis& best = hypotheses.front();
  if (output_ == Output::kScores) out.write(base::concat(static_cast<float>(best.score), "\t"));
  out.write(base::concat(tokens_of(best), "\n"));
}

}  // namespace awend::decode
