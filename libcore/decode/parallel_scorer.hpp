// Scores given translations by one model, on the processor with several scorers of one thread each.
//
// Scores do not depend on their number.  Test: tests/properties/decoders_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "decode/teacher_forced_scorer.hpp"

namespace awend::decode {

class ParallelScorer : public PairScorer {
 public:
  /// Engine and model must outlive the object.
  ParallelScorer(nn::Engine& engine, const model::Seq2SeqView& model,
                 std::uint32_t end_of_sentence);

  bool fits(std::uint32_t tokens) override;
  std::vector<std::vector<float>> scores(std::span<const SentencePair> pairs) override;

 private:
  using Pairs = std::span<const SentencePair>;
  bool is_long(const SentencePair& pair) const { return pair.tokens() > batch_tokens_; }
  void release_others();
  std::vector<std::vector<float>> scores_of_long(Pairs pairs);
  std::vector<std::vector<float>> scores_of_short(Pairs pairs);

  std::vector<std::unique_ptr<TeacherForcedScorer>> scorers_;  // one for each thread
  std::uint32_t batch_tokens_;                                 // of a scorer
};

}  // namespace awend::decode
