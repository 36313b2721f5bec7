// Scores and attention of one model for given translations (section 3.2 of the paper and its
// figures 3 to 5).
//
// All positions are computed at once, as in training.  The capacity grows with the longest pair so
// far, so that short lines cost little.  Test: tests/learn/forced_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "decode/ensemble.hpp"
#include "decode/pair_scorer.hpp"
#include "forward/pass.hpp"

namespace awend::decode {

/// Attention weights for one pair.  Rows and columns are tokens, the end of the sentence included;
/// target row t predicts token t.
struct Attentions {
  store::AttentionMaps encoder;  ///< (layers, heads, source, source)
  store::AttentionMaps decoder;  ///< (layers, heads, target, target)
  store::AttentionMaps cross;    ///< (layers, heads, target, source)
  /// If the columns of `cross` are sentences: their tokens.
  std::optional<std::vector<batch::RowRange>> sentences = {};
  /// The layer of `cross`, from 1, whose first head was trained for alignment; 0: none.
  std::uint32_t guided_layer = 0;
};

class TeacherForcedScorer : public PairScorer {
 public:
  enum class Keeps { kScores, kAttention };
  struct Settings {
    std::uint32_t end_of_sentence;
    Keeps keeps = Keeps::kScores;
    std::uint32_t batch_tokens = 2048;  ///< Of pairs that are scored at once, at most.
  };

  /// Computes with the parameters as they are at each call; engine and model must outlive the
  /// object.
  TeacherForcedScorer(nn::Engine& engine, const model::Seq2SeqView& model,
                      const Settings& settings);

  /// As nn::Program::use_threads().
  void use_threads(nn::Threads threads) { threads_ = threads; }
  /// Takes the memory for batches; false if there is not enough.
  bool prepare();
  /// Frees the memory of passes.
  void release() { pass_.reset(); }
  bool fits(std::uint32_t tokens) override;
  std::vector<std::vector<float>> scores(std::span<const SentencePair> pairs) override;

  store::AttentionLayout attention_layout() const { return model_.seq2seq->attention_layout(); }
  bool attends_to_sentences() const { return model_.seq2seq->attended_sentences({}).has_value(); }
  batch::RowRange question(std::span<const std::uint32_t> source) const {
    return model_.seq2seq->question(source);
  }
  bool has_probabilities() const { return model_.seq2seq->has_probabilities(*model_.parameters); }
  /// Requires: kAttention, and that the pair fits.
  Attentions attention(const SentencePair& pair);

 private:
  std::unique_ptr<forward::Pass> make_pass(std::uint32_t rows) const;
  bool has_memory_for(std::uint32_t rows) const;
  forward::Pass& pass_for(std::uint32_t rows);
  forward::Pass& run(std::span<const SentencePair> pairs);

  nn::Engine& engine_;
  model::Seq2SeqView model_;
  Settings settings_;
  nn::Threads threads_ = nn::Threads::kAll;
  std::uint32_t fitting_ = 0;  // the most tokens that are known to fit
  std::unique_ptr<forward::Pass> pass_;
  batch::PackedBatch batch_;
};

}  // namespace awend::decode
