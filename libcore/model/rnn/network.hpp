// A recurrent encoder-decoder, written forward only; nn derives the backward pass.  The decoder
// starts from the last states of the encoder (Sutskever et al., 2014), reads a summary of the
// source in each step (Cho et al., 2014), or has attention of Bahdanau et al. (2015) or Luong et
// al. (2015).
//
// A decoder is the same for a batch and for one step of a search, which is a batch of hypotheses
// with one token each and given states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "nn/recurrent/cell.hpp"
#include "nn/recurrent/lookup.hpp"
#include "nn/recurrent/step_attention.hpp"

namespace awend::model {

/// The tokens of one side of a batch.  Rows are tokens in the order of the text; the order in which
/// they are read is that of the steps only, so that attention refers to positions of the text.
struct RnnSide {
  nn::Count rows;  ///< The second word is the first row in the update.
  nn::Count flat;  ///< The same number of rows; the second word is 0.
  nn::LookupInputs tokens;
  nn::Steps steps;
  std::optional<nn::Steps> reverse;  ///< From the last token that `steps` reads to the first.
  SourceOrder order = SourceOrder::kForward;
  nn::Tensor masks;       ///< (rows, 1): numbers of dropout masks
  nn::Tensor step_masks;  ///< (rows, 1): the same by step and rank
  /// (sentences, 2): by rank, first row and end; of the source, with Bridge::kMean, and of the
  /// target, with context feeding.
  std::optional<nn::Tensor> sentences = {};
};

/// A layer of cells: products of the input (inputs, G · d_model), (1, G · d_model), and of the
/// state.
struct RnnLayer {
  nn::Parameter input, input_bias;
  nn::CellWeights cell;
};

struct RnnEncoderLayer {
  RnnLayer forward;
  std::optional<RnnLayer> reverse;
};

struct RnnEncoded {
  nn::Tensor memory;                 ///< (source rows, width)
  std::optional<nn::Tensor> keys;    ///< (source rows, columns); with attention
  std::vector<nn::CellState> start;  ///< Of each decoder layer, by rank of the source sentences.
  /// (sentences, d_model), by rank; with context feeding.
  std::optional<nn::Tensor> summary = {};
};

struct RnnDecoderInputs {
  RnnSide side;
  std::vector<nn::CellState> start;  ///< Of each layer, by rank.
  std::optional<nn::Tensor> feed;    ///< The attentional state at the start; default: zero.
  /// (rows, d_model): the summary of the source of each row; with context feeding.
  std::optional<nn::Tensor> summaries = {};
  RnnEncoded encoded;
  nn::Tensor keys_of_query, queries_of_key;  ///< See nn::AttentionMemory.
  /// (rows, 1): see nn::AttentionWindow; with AttentionSpan::kMonotonic.
  std::optional<nn::Tensor> centers = {};
  std::uint32_t max_keys;
  nn::AttentionSteps::Weights weights;
};

struct RnnDecoded {
  nn::Tensor output;                  ///< (rows, projection().columns)
  std::vector<nn::CellState> last;    ///< Of each layer.
  std::optional<nn::Tensor> feed;     ///< The last attentional state, with input feeding.
  std::optional<nn::Tensor> weights;  ///< (rows, max_keys), if they are an output.
};

class RnnNetwork {
 public:
  /// Declares the parameters, by name ("encoder.0.hidden", …).  Throws Error if the settings are
  /// invalid.
  RnnNetwork(const Config& config, nn::Parameters& parameters);

  const Config& config() const { return config_; }
  /// (vocabulary, columns of the readout + 4): the first additional column is the bias of each
  /// token, the others are unused.  If it is tied, (vocabulary, columns of the readout).
  const nn::Parameter& projection() const { return projection_; }
  /// (vocabulary, 1), if the projection is tied.
  const std::optional<nn::Parameter>& output_bias() const { return output_bias_; }
  nn::OutputLayer output_layer() const { return {.table = projection_, .bias = output_bias_}; }
  bool is_table(const nn::Parameter& parameter) const;
  bool attends() const { return config_.rnn.attention != RnnAttention::kNone; }
  bool feeds_context() const { return config_.rnn.context_feeding == Switch::kOn; }
  /// Columns of the encoder's output and of the keys.
  std::uint32_t memory_columns() const;
  std::uint32_t key_columns() const;

  RnnEncoded encode(nn::Graph& graph, const RnnSide& side) const;
  RnnDecoded decode(nn::Graph& graph, const RnnDecoderInputs& inputs) const;

 private:
  RnnLayer declare_layer(nn::Parameters& parameters, const std::string& name,
                         std::uint32_t inputs) const;
  void declare_tables(nn::Parameters& parameters);
  void declare_bridge(nn::Parameters& parameters);
  void declare_attention(nn::Parameters& parameters);
  void declare_decoder(nn::Parameters& parameters);
  void declare_readout(nn::Parameters& parameters);
  std::uint32_t layer_columns(std::uint32_t layer) const;
  std::uint32_t context_columns() const;
  nn::Tensor dropout(nn::Graph& graph, const RnnSide& side, const nn::Tensor& x) const;
  nn::Tensor layer_output(nn::Graph& graph, std::size_t layer, const nn::Tensor& x,
                          const nn::Tensor& y) const;
  std::optional<nn::Tensor> keys_of(nn::Graph& graph, const nn::Tensor& memory) const;
  nn::AttentionMemory memory_of(const RnnDecoderInputs& inputs) const;
  /// What the output depends on.
  struct ReadoutInputs {
    nn::Tensor state, context, embedded;
  };
  nn::Tensor readout(nn::Graph& graph, const ReadoutInputs& inputs) const;
  RnnDecoded decode_layers(nn::Graph& graph, const RnnDecoderInputs& inputs,
                           const nn::Tensor& embedded) const;
  RnnDecoded decode_attentive(nn::Graph& graph, const RnnDecoderInputs& inputs,
                              const nn::Tensor& embedded) const;
  RnnDecoded decode_feeding(nn::Graph& graph, const RnnDecoderInputs& inputs,
                            const nn::Tensor& embedded) const;

  Config config_;
  nn::Parameter source_embedding_, target_embedding_, projection_;
  std::optional<nn::Parameter> output_bias_;
  std::vector<RnnEncoderLayer> encoder_;
  std::optional<nn::Parameter> summary_, summary_bias_, bridge_, bridge_bias_;
  std::vector<RnnLayer> decoder_;
  // The product of the context or summary of each layer, if it is known before the layer.
  std::vector<nn::Parameter> contexts_;
  std::optional<nn::CellWeights> second_cell_;  // of the first layer
  std::optional<nn::Parameter> feed_;           // with input feeding
  std::optional<nn::Parameter> query_, key_, key_bias_, vector_;
  std::optional<nn::Parameter> center_, center_vector_;  // with AttentionSpan::kPredictive
  std::optional<nn::Parameter> readout_state_, readout_context_, readout_embedding_, readout_bias_;
};

}  // namespace awend::model
