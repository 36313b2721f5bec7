// A recurrent network one token at a time, with the states after past tokens cached.
//
// The token caches have one row for each token of a hypothesis: the states after it.  The source
// caches have one row for each source token, stored by the encoder when a sentence enters: what
// attention reads, and in the row of its first token the first states of the decoder and the
// summary of context feeding.  Test:
// tests/properties/rnn_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/rnn/network.hpp"
#include "model/step_decoding.hpp"
#include "nn/decoding.hpp"

namespace awend::model {

class RnnStepDecoding : public StepDecoding {
 public:
  RnnStepDecoding(const RnnNetwork& network, nn::Engine& engine, const StepCapacity& capacity);

  void append_encoder(nn::Graph& graph) override;
  nn::Tensor append_step(nn::Graph& graph, const nn::Count& rows) override;
  void write(std::span<const SourceSentence> sentences) override;
  void write(const StepRows& step) override;

 private:
  /// A state that persists between steps.
  struct StateCache {
    enum class Start { kEncoder, kZero };
    nn::RowCache after_tokens;
    std::optional<nn::RowCache> at_start;  ///< Default: zero.
  };
  struct EncoderInputs {
    nn::Program& program;
    RnnSide source;
    nn::Tensor places;        ///< (source rows, 1): rows of the source caches
    nn::Tensor start_places;  ///< (sentences, 1): by rank, the row of the first token
  };
  struct StepInputs {
    nn::Program& program;
    nn::Tensor ids;
    nn::Tensor places;         ///< (rows, 1): the cache row of each last token
    nn::Tensor before;         ///< (rows, 1): that of the token before it, or NO_TOKEN
    nn::Tensor start;          ///< (rows, 1): without such a token, the row of the first states
    nn::Tensor source_ranges;  ///< (rows, 2): the source rows of each hypothesis's sentence
    nn::Tensor first_rows;     ///< (rows, 1): the first of them
    nn::Tensor centers;        ///< (rows, 1): see RnnDecoderInputs
  };
  void add_state(nn::Engine& engine, StateCache::Start start);
  nn::Tensor restored(nn::Graph& graph, const StateCache& cache, const nn::Count& rows) const;

  const RnnNetwork& network_;
  StepCapacity capacity_;
  std::optional<nn::RowCache> memory_, keys_, summary_;
  std::vector<StateCache> states_;  // h and c of each layer, then the attentional state
  std::optional<EncoderInputs> encoder_;
  std::optional<StepInputs> step_;
};

}  // namespace awend::model
