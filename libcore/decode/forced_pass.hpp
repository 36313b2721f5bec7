// The whole model over sentences whose translations are given: what it thinks of each token, and
// where it looks (the paper, section 3.2; its figures 3 to 5).
//
// No search: all positions are computed at once, as in training.  Capacity grows with the longest
// sentence that came, so that a short line costs little.  Test: tests/learn/forced_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/batch.hpp"
#include "decode/given_scorer.hpp"
#include "model/seq2seq.hpp"

namespace awend::decode {

/// The weights of one attention of one layer over one sentence.
struct AttentionMap {
  std::uint32_t heads = 0, rows = 0, columns = 0;
  std::vector<float> weights;  ///< (heads, rows, columns); 0 for keys that a row does not see.

  float at(std::uint32_t head, std::uint32_t row, std::uint32_t column) const {
    return weights[(std::size_t{head} * rows + row) * columns + column];
  }
};

/// Layer by layer.  Rows and columns are tokens with the end of the sentence; target row t is the
/// one that predicts token t.
struct Attentions {
  std::vector<AttentionMap> encoder;  ///< (source, source)
  std::vector<AttentionMap> decoder;  ///< (target, target)
  std::vector<AttentionMap> cross;    ///< (target, source)
};

class ForcedPass : public GivenScorer {
 public:
  enum class Keeps { kScores, kAttention };

  /// Computes with the parameters as they are at each call; all must outlive the object.
  ForcedPass(nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
             std::uint32_t end_of_sentence, Keeps keeps);
  ~ForcedPass() override;

  /// By what the pass would take of the device's memory.
  bool fits(std::uint32_t tokens) override;
  std::vector<std::vector<float>> scores(std::span<const GivenPair> pairs) override;

  store::AttentionLayout attention_layout() const { return seq2seq_.attention_layout(); }
  /// Requires: kAttention, and that the pair fits.
  Attentions attention(const GivenPair& pair);

 private:
  class Compiled;
  /// Whether the pass has, or could have, the capacity.
  bool holds(std::uint32_t rows) const;
  Compiled& compiled_for(std::uint32_t rows);
  Compiled& run(std::span<const GivenPair> pairs);

  nn::Engine& engine_;
  nn::Parameters& parameters_;
  const model::Seq2Seq& seq2seq_;
  std::uint32_t end_of_sentence_;
  Keeps keeps_;
  std::unique_ptr<Compiled> compiled_;
  data::Batch batch_;
};

}  // namespace awend::decode
