// The Transformer one token at a time, with the keys and values of past tokens cached (section 3.1
// of the paper), or the states of SSRUs after them.
//
// The token cache of a layer has one row for each token of a hypothesis, the source cache one row
// for each source token, stored by the encoder when a sentence enters.  The search assigns the
// rows.  Test: tests/properties/translation_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/step_decoding.hpp"
#include "model/transformer/teacher_forcing.hpp"

namespace awend::model {

/// For each decoder layer, rows of keys and rows of values that persist between steps.
class KeyValueCache {
 public:
  KeyValueCache(nn::Engine& engine, const Config& config, std::uint32_t rows);
  /// (rows, heads · d_k)
  nn::Tensor keys(nn::Program& program, std::uint32_t layer) const;
  /// (rows, heads · d_v)
  nn::Tensor values(nn::Program& program, std::uint32_t layer) const;

 private:
  std::vector<nn::RowCache> keys_;
  std::vector<nn::RowCache> values_;
};

class TransformerStepDecoding : public StepDecoding {
 public:
  TransformerStepDecoding(const TransformerNetwork& network, nn::Engine& engine,
                          const StepCapacity& capacity);

  void append_encoder(nn::Graph& graph) override;
  nn::Tensor append_step(nn::Graph& graph, const nn::Count& rows) override;
  void write(std::span<const SourceSentence> sentences) override;
  void write(const StepRows& step) override;

 private:
  struct EncoderInputs {
    nn::Program& program;
    SideInputs source;
    nn::Tensor places;  ///< (source rows, 1): cache rows
  };
  /// With SSRUs: each hypothesis as a sentence of one row.
  struct LastTokens {
    nn::Tensor ranges;  ///< (rows, 2)
    nn::Tensor before;  ///< (rows, 1): the cache row of the token before it, or NO_TOKEN
  };
  struct StepInputs {
    nn::Program& program;
    nn::EmbeddingInputs embedding;  ///< The last token of each hypothesis, and its position.
    /// With self-attention, the cache rows of each hypothesis, the last token's included.
    std::variant<nn::Ancestors, LastTokens> past;
    nn::Tensor places;         ///< (rows, 1): the cache row of each last token
    nn::Tensor source_ranges;  ///< (rows, 2): the source rows of each hypothesis's sentence
  };

  std::variant<nn::Ancestors, LastTokens> declare_past(nn::Program& program,
                                                       const nn::Count& rows) const;
  DecoderLayerInputs layer_inputs(nn::Program& program, std::uint32_t layer) const;
  void write_past(const StepRows& step);

  const TransformerNetwork& network_;
  StepCapacity capacity_;
  KeyValueCache sources_;
  std::optional<KeyValueCache> tokens_;  // with self-attention
  std::vector<nn::RowCache> states_;     // with SSRUs, by layer
  std::optional<EncoderInputs> encoder_;
  std::optional<StepInputs> step_;
};

}  // namespace awend::model
