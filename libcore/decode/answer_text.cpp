#include "decode/answer_text.hpp"

#include "base/format.hpp"
#include "base/json.hpp"

namespace awend::decode {
namespace {

std::string alignment_of(const Translation& rendered) {
  return rendered.alignment ? " ||| " + *rendered.alignment : std::string();
}

std::string json_of(const Translation& rendered) {
  const Hypothesis& hypothesis = rendered.hypothesis;
  const auto alignment = rendered.alignment
                             ? ", \"alignment\": " + base::json_string(*rendered.alignment)
                             : std::string();
  const auto text = rendered.text
                        ? base::concat("\"text\": ", base::json_string(*rendered.text), ", ")
                        : std::string();
  return base::concat(
      "{", text, "\"tokens\": ", base::json_string(base::join(rendered.tokens, " ")),
      ", \"score\": ", static_cast<float>(hypothesis.score),
      ", \"log_probability\": ", static_cast<float>(hypothesis.log_probability),
      ", \"word_scores\": [", base::join(hypothesis.of_tokens, ", "), "]", alignment, "}");
}

std::string json_line(std::uint64_t line, std::span<const Translation> hypotheses) {
  std::string translations;
  for (const Translation& rendered : hypotheses)
    translations += (translations.empty() ? "" : ", ") + json_of(rendered);
  return base::concat("{\"line\": ", line, ", \"translations\": [", translations, "]}\n");
}

}  // namespace

std::string Translation::line() const {
  return text ? *text : base::join(tokens, " ");
}

std::string answer_text(Output form, std::uint64_t line, std::span<const Translation> hypotheses) {
  if (form == Output::kJson) return json_line(line, hypotheses);
  if (form == Output::kNBest) {
    std::string lines;
    for (const Translation& rendered : hypotheses) {
      lines += base::concat(
          line, " ||| ", rendered.line(),
          " ||| logprob= ", static_cast<float>(rendered.hypothesis.log_probability), " ||| ",
          static_cast<float>(rendered.hypothesis.score), alignment_of(rendered), "\n");
    }
    return lines;
  }
  const Translation& best = hypotheses.front();
  std::string front;
  if (form == Output::kScores)
    front = base::concat(static_cast<float>(best.hypothesis.score), "\t");
  if (form == Output::kWordScores) front = base::join(best.hypothesis.of_tokens, " ") + '\t';
  return front + best.line() + alignment_of(best) + '\n';
}

}  // namespace awend::decode
