// The best answers in a passage, by the logits of their first and last tokens (Devlin et al., 2019,
// sections 4.2 and 4.3).
//
// The score of a span is the sum of both logits.  All spans within the length are compared, not
// only those of the best ends.  Test: tests/unit/decode/answer_span_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "data/labeled_text.hpp"

namespace awend::decode {

struct AnswerSettings {
  std::uint32_t longest = 30;  ///< Tokens of an answer.
  std::uint32_t count = 1;     ///< Answers, best first.
  /// How much better than the best span no answer must be, to be the best; nothing: there is always
  /// an answer, unless the passage is empty.
  std::optional<double> null_threshold = {};
};

/// The places of an answer in its line, [begin, end); those of [CLS], [0, 1), are no answer.
struct Answer {
  batch::RowRange places;
  double score = 0;
  double probability = 0;  ///< Of its first place, times that of its last one.

  bool exists() const { return places.begin != 0; }
  bool operator==(const Answer&) const = default;
};

/// At most settings.count answers.  `logits` are (tokens of the line, 2), by first and last place.
/// Ties go to the answer that begins, then ends, first.
std::vector<Answer> best_answers(const data::EncoderLine& line, std::span<const float> logits,
                                 const AnswerSettings& settings);

}  // namespace awend::decode
