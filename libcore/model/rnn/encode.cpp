// The encoder, and what encoder and decoder share.
#include "base/error.hpp"
#include "model/rnn/network.hpp"
#include "nn/recurrent/mean_rows.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/recurrent/row_dropout.hpp"

namespace awend::model {
namespace {

/// One direction of a layer.
nn::RecurrentLayer run(nn::Graph& graph, const RnnLayer& layer, const RnnSide& side,
                       const nn::Steps& steps, const nn::Tensor& x) {
  return nn::recurrent(graph, {.weights = layer.cell,
                               .steps = steps,
                               .rows = side.rows,
                               .inputs = nn::linear(graph, x, layer.input, layer.input_bias),
                               .initial = std::nullopt});
}

}  // namespace

nn::Tensor RnnNetwork::dropout(nn::Graph& graph, const RnnSide& side, const nn::Tensor& x) const {
  if (config_.rnn.variational_dropout == Switch::kOn)
    return nn::row_dropout(graph, x, {side.masks, side.flat}, config_.dropout);
  return nn::dropout(graph, x, config_.dropout);
}

/// The residual connection around layer number `layer`, which maps `x` to `y`.  The embeddings are
/// not added to the output of the first layer.
nn::Tensor RnnNetwork::layer_output(nn::Graph& graph, std::size_t layer, const nn::Tensor& x,
                                    const nn::Tensor& y) const {
  const bool adds = layer > 0 && config_.rnn.residual == Switch::kOn && x.columns == y.columns;
  return adds ? nn::residual(graph, x, y, 0) : y;
}

std::optional<nn::Tensor> RnnNetwork::keys_of(nn::Graph& graph, const nn::Tensor& memory) const {
  if (!attends()) return std::nullopt;
  return key_ ? nn::linear(graph, memory, *key_, key_bias_) : memory;
}

RnnEncoded RnnNetwork::encode(nn::Graph& graph, const RnnSide& side) const {
  RnnEncoded encoded{};
  nn::Tensor x = dropout(graph, side, nn::lookup(graph, side.tokens, source_embedding_));
  nn::Tensor last{};
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    const auto& [forward, reverse] = encoder_[i];
    const auto made = run(graph, forward, side, side.steps, x);
    nn::Tensor y = made.outputs;
    last = made.last.h;
    if (reverse) {
      const auto other = run(graph, *reverse, side, *side.reverse, x);
      y = nn::concat_columns(graph, y, other.outputs);
      if (config_.rnn.bridge == Bridge::kReverse) last = other.last.h;
      if (config_.rnn.bridge == Bridge::kDense)
        last = nn::concat_columns(graph, last, other.last.h);
    }
    if (!bridge_) encoded.start.push_back(made.last);
    if (i + 1 < encoder_.size()) y = dropout(graph, side, y);
    x = layer_output(graph, i, x, y);
  }
  encoded.memory = x;
  encoded.keys = keys_of(graph, x);
  if (!bridge_) return encoded;
  if (side.sentences) last = nn::mean_rows(graph, x, *side.sentences);
  const auto squashed = [&](const nn::Parameter& w, const std::optional<nn::Parameter>& bias) {
    return nn::activate(graph, nn::linear(graph, last, w, bias), nn::Activation::kTanh);
  };
  if (summary_) encoded.summary = last = squashed(*summary_, summary_bias_);
  encoded.start.assign(decoder_.size(), {squashed(*bridge_, bridge_bias_), std::nullopt});
  return encoded;
}

}  // namespace awend::model
