#include "decode/answer_text.hpp"

#include "base/format.hpp"
#include "base/json.hpp"

namespace awend::decode {
namespace {

std::string written(const RenderedHypothesis& rendered) {
  return rendered.text ? *rendered.text : token_line(rendered.tokens);
}

std::string alignment_of(const RenderedHypothesis& rendered) {
  return rendered.alignment ? " ||| " + *rendered.alignment : std::string();
}

std::string json_of(const RenderedHypothesis& rendered) {
  const Hypothesis& hypothesis = rendered.hypothesis;
  const auto alignment = rendered.alignment
                             ? ", \"alignment\": " + base::json_string(*rendered.alignment)
                             : std::string();
  const auto text = rendered.text
                        ? base::concat("\"text\": ", base::json_string(*rendered.text), ", ")
                        : std::string();
  return base::concat("{", text, "\"tokens\": ", base::json_string(token_line(rendered.tokens)),
                      ", \"score\": ", static_cast<float>(hypothesis.score),
                      ", \"log_probability\": ", static_cast<float>(hypothesis.log_probability),
                      ", \"word_scores\": [", base::join(hypothesis.of_tokens, ", "), "]",
                      alignment, "}");
}

std::string json_line(std::uint64_t line, std::span<const RenderedHypothesis> hypotheses) {
  std::string translations;
  for (const RenderedHypothesis& rendered : hypotheses)
    translations += (translations.empty() ? "" : ", ") + json_of(rendered);
  return base::concat("{\"line\": ", line, ", \"translations\": [", translations, "]}\n");
}

}  // namespace

std::string token_line(const std::vector<std::string>& tokens) {
  std::string text;
  for (const auto& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

RenderedHypothesis render(const Hypothesis& hypothesis, const text::Vocabulary& vocabulary) {
  RenderedHypothesis rendered{hypothesis, {}};
  for (const std::uint32_t id : hypothesis.ids) rendered.tokens.emplace_back(vocabulary.piece(id));
  return rendered;
}

std::string answer_text(Output form, std::uint64_t line,
                        std::span<const RenderedHypothesis> hypotheses) {
  if (form == Output::kJson) return json_line(line, hypotheses);
  if (form == Output::kNBest) {
    std::string lines;
    for (const RenderedHypothesis& rendered : hypotheses) {
      lines += base::concat(
          line, " ||| ", written(rendered),
          " ||| logprob= ", static_cast<float>(rendered.hypothesis.log_probability), " ||| ",
          static_cast<float>(rendered.hypothesis.score), alignment_of(rendered), "\n");
    }
    return lines;
  }
  const RenderedHypothesis& best = hypotheses.front();
  std::string front;
  if (form == Output::kScores)
    front = base::concat(static_cast<float>(best.hypothesis.score), "\t");
  if (form == Output::kWordScores) front = base::join(best.hypothesis.of_tokens, " ") + '\t';
  return front + written(best) + alignment_of(best) + '\n';
}

}  // namespace awend::decode
