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
  base::JsonObject object(base::kSpacedObject);
  if (rendered.text) object.text("text", *rendered.text);
  object.text("tokens", base::join(rendered.tokens, " "));
  object.value("score", base::concat(static_cast<float>(hypothesis.score)));
  object.value("log_probability", base::concat(static_cast<float>(hypothesis.log_probability)));
  object.value("word_scores", base::json_values(hypothesis.of_tokens, base::kSpacedList));
  if (rendered.alignment) object.text("alignment", *rendered.alignment);
  return object.str();
}

std::string json_line(std::uint64_t line, std::span<const Translation> hypotheses) {
  base::JsonObject object(base::kSpacedObject);
  object.count("line", line);
  object.value("translations", base::json_list(hypotheses, json_of, base::kSpacedList));
  return object.str() + "\n";
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
