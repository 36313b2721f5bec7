// Learning SentencePiece models of type bpe with the learner of pairs: the same pieces as version
// 0.2.3 of SentencePiece learns, in a fraction of the time that older versions take.
//
// Test: tests/unit/text/sentencepiece/pair_trainer_test.cpp, tests/cli/sentencepiece_model.sh.
#pragma once

#include <functional>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "text/learn/word_counts.hpp"
#include "text/sentencepiece/content.hpp"
#include "text/sentencepiece/trainer.hpp"
#include "text/sentencepiece/training_words.hpp"

namespace awend::text {

class PairTrainer {
 public:
  /// Error for settings that SentencePiece rejects.
  explicit PairTrainer(const SentencePieceTraining& settings);

  /// For counting the words.
  const TrainingWords& words() const { return words_; }

  /// The bytes of the model.  `progress` is called with the number of pieces.
  std::string learn(std::span<const WordCount> words, std::pmr::memory_resource* memory,
                    const std::function<void(std::size_t)>& progress) const;

 private:
  struct Character {
    char32_t code_point;
    std::uint64_t count;
  };

  std::vector<Character> required_characters(std::span<const WordCount> words) const;
  std::vector<std::string> learned_pieces(std::span<const WordCount> words,
                                          const std::vector<Character>& characters,
                                          std::pmr::memory_resource* memory,
                                          const std::function<void(std::size_t)>& progress) const;
  std::string serialized(const std::vector<std::string>& pieces) const;

  const SentencePieceTraining settings_;
  // A model without pieces of the text: its special pieces and settings.
  const std::string frame_;
  const SentencePieceContent frame_content_;
  const std::size_t special_pieces_;
  const TrainingWords words_;
};

}  // namespace awend::text
