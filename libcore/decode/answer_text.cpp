#include "decode/answer_text.hpp"

#include "base/concat.hpp"
#include "base/json_string.hpp"

namespace awend::decode {
namespace {

std::string tokens_of(const Hypothesis& hypothesis, const text::Vocabulary& vocabulary) {
  std::string text;
  for (const std::uint32_t id : hypothesis.ids) {
    if (!text.empty()) text += ' ';
    text += vocabulary.piece(id);
  }
  return text;
}

std::string joined(std::span<const float> numbers, std::string_view between) {
  std::string text;
  for (const float number : numbers) text += base::concat(text.empty() ? "" : between, number);
  return text;
}

std::string json_of(const Hypothesis& hypothesis, const text::Vocabulary& vocabulary) {
  return base::concat("{\"tokens\": ", base::json_string(tokens_of(hypothesis, vocabulary)),
                      ", \"score\": ", static_cast<float>(hypothesis.score),
                      ", \"log_probability\": ", static_cast<float>(hypothesis.log_probability),
                      ", \"word_scores\": [", joined(hypothesis.of_tokens, ", "), "]}");
}

std::string json_line(std::uint64_t line, std::span<const Hypothesis> hypotheses,
                      const text::Vocabulary& vocabulary) {
  std::string translations;
  for (const Hypothesis& hypothesis : hypotheses)
    translations += (translations.empty() ? "" : ", ") + json_of(hypothesis, vocabulary);
  return base::concat("{\"line\": ", line, ", \"translations\": [", translations, "]}\n");
}

}  // namespace

std::string answer_text(Output form, std::uint64_t line, std::span<const Hypothesis> hypotheses,
                        const text::Vocabulary& vocabulary) {
  if (form == Output::kJson) return json_line(line, hypotheses, vocabulary);
  if (form == Output::kNBest) {
    std::string lines;
    for (const Hypothesis& hypothesis : hypotheses) {
      lines += base::concat(line, " ||| ", tokens_of(hypothesis, vocabulary),
                            " ||| logprob= ", static_cast<float>(hypothesis.log_probability),
                            " ||| ", static_cast<float>(hypothesis.score), "\n");
    }
    return lines;
  }
  const Hypothesis& best = hypotheses.front();
  std::string front;
  if (form == Output::kScores) front = base::concat(static_cast<float>(best.score), "\t");
  if (form == Output::kWordScores) front = joined(best.of_tokens, " ") + '\t';
  return front + tokens_of(best, vocabulary) + '\n';
}

}  // namespace awend::decode
