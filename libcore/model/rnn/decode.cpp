// The decoders: without attention or with attention after the last layer, with attention before the
// first layer, and with input feeding.
#include "base/error.hpp"
#include "model/rnn/network.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/attentive_cell.hpp"
#include "nn/recurrent/input_feeding.hpp"
#include "nn/recurrent/move_rows.hpp"

namespace awend::model {
namespace {

nn::CellInputs cells_of(const RnnLayer& layer, const RnnDecoderInputs& inputs, std::size_t number,
                        const std::optional<nn::Tensor>& products) {
  return {.weights = layer.cell,
          .steps = inputs.side.steps,
          .rows = inputs.side.rows,
          .inputs = products,
          .initial = inputs.start[number]};
}

nn::Tensor sum(nn::Graph& graph, const nn::Tensor& a, const nn::Tensor& b) {
  return nn::residual(graph, a, b, 0);
}

/// [x 1 0 0 0], whose product with the projection includes the bias.
nn::Tensor with_one(nn::Graph& graph, const nn::Tensor& x) {
  std::vector<float> ones(std::size_t{4} * x.rows.capacity);
  for (std::size_t i = 0; i < ones.size(); i += 4) ones[i] = 1;
  return nn::concat_columns(graph, x, graph.program().constant(4, std::move(ones)));
}

}  // namespace

nn::AttentionMemory RnnNetwork::memory_of(const RnnDecoderInputs& inputs) const {
  nn::AttentionMemory memory{.keys = *inputs.encoded.keys,
                             .values = inputs.encoded.memory,
                             .additive = vector_,
                             .keys_of_query = inputs.keys_of_query,
                             .queries_of_key = inputs.queries_of_key,
                             .max_keys = inputs.max_keys};
  if (config_.rnn.attention_span == AttentionSpan::kGlobal) return memory;
  memory.window = {config_.rnn.local_window, inputs.centers, std::nullopt};
  if (center_) memory.window->predicted = {*center_, *center_vector_};
  return memory;
}

nn::Tensor RnnNetwork::readout(nn::Graph& graph, const ReadoutInputs& inputs) const {
  const auto& [state, context, embedded] = inputs;
  nn::Tensor z = sum(graph, nn::linear(graph, state, *readout_state_, readout_bias_),
                     nn::linear(graph, context, *readout_context_));
  if (readout_embedding_) z = sum(graph, z, nn::linear(graph, embedded, *readout_embedding_));
  return config_.rnn.readout == Readout::kMaxout ? nn::maxout(graph, z)
                                                 : nn::activate(graph, z, nn::Activation::kTanh);
}

RnnDecoded RnnNetwork::decode(nn::Graph& graph, const RnnDecoderInputs& inputs) const {
  const nn::Tensor embedded =
      dropout(graph, inputs.side, nn::lookup(graph, inputs.side.tokens, target_embedding_));
  RnnDecoded decoded = feed_     ? decode_feeding(graph, inputs, embedded)
                       : vector_ ? decode_attentive(graph, inputs, embedded)
                                 : decode_layers(graph, inputs, embedded);
  decoded.output = dropout(graph, inputs.side, decoded.output);
  if (!output_bias_) decoded.output = with_one(graph, decoded.output);
  return decoded;
}

RnnDecoded RnnNetwork::decode_layers(nn::Graph& graph, const RnnDecoderInputs& inputs,
                                     const nn::Tensor& embedded) const {
  RnnDecoded decoded{};
  nn::Tensor x = embedded;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const RnnLayer& layer = decoder_[i];
    nn::Tensor products = nn::linear(graph, x, layer.input, layer.input_bias);
    if (inputs.summaries)
      products = sum(graph, products, nn::linear(graph, *inputs.summaries, contexts_[i]));
    const auto made = nn::recurrent(graph, cells_of(layer, inputs, i, products));
    decoded.last.push_back(made.last);
    const bool is_top = i + 1 == decoder_.size();
    x = layer_output(graph, i, x,
                     is_top ? made.outputs : dropout(graph, inputs.side, made.outputs));
  }
  decoded.output = x;
  if (inputs.summaries) decoded.output = readout(graph, {x, *inputs.summaries, embedded});
  if (!attends()) return decoded;
  const bool records = inputs.weights == nn::AttentionSteps::Weights::kOutput;
  const nn::Tensor context = nn::attend_all(graph, x, memory_of(inputs),
                                            nn::single_step(graph.program(), inputs.side.flat),
                                            records ? &decoded.weights : nullptr);
  decoded.output = readout(graph, {x, context, embedded});
  return decoded;
}

RnnDecoded RnnNetwork::decode_attentive(nn::Graph& graph, const RnnDecoderInputs& inputs,
                                        const nn::Tensor& embedded) const {
  const RnnLayer& bottom = decoder_.front();
  const auto first = nn::attentive_recurrent(
      graph, {.cells = cells_of(bottom, inputs, 0,
                                nn::linear(graph, embedded, bottom.input, bottom.input_bias)),
              .second = second_cell_,
              .memory = memory_of(inputs),
              .weights = inputs.weights,
              .query = *query_,
              .context = contexts_.front()});
  RnnDecoded decoded{
      .output = {}, .last = {first.last}, .feed = std::nullopt, .weights = first.attention_weights};
  nn::Tensor x = first.outputs;
  if (decoder_.size() > 1) x = dropout(graph, inputs.side, x);
  for (std::size_t i = 1; i < decoder_.size(); ++i) {
    const RnnLayer& layer = decoder_[i];
    const nn::Tensor products = sum(graph, nn::linear(graph, x, layer.input, layer.input_bias),
                                    nn::linear(graph, first.contexts, contexts_[i]));
    const auto made = nn::recurrent(graph, cells_of(layer, inputs, i, products));
    decoded.last.push_back(made.last);
    const bool is_top = i + 1 == decoder_.size();
    x = layer_output(graph, i, x,
                     is_top ? made.outputs : dropout(graph, inputs.side, made.outputs));
  }
  decoded.output = readout(graph, {x, first.contexts, embedded});
  return decoded;
}

RnnDecoded RnnNetwork::decode_feeding(nn::Graph& graph, const RnnDecoderInputs& inputs,
                                      const nn::Tensor& embedded) const {
  using Residual = nn::InputFeedingInputs::Residual;
  const RnnLayer& bottom = decoder_.front();
  nn::InputFeedingInputs feeding{
      .cells = {cells_of(bottom, inputs, 0,
                         nn::linear(graph, embedded, bottom.input, bottom.input_bias))},
      .upper = {},
      .feed = *feed_,
      .state = *readout_state_,
      .context = *readout_context_,
      .bias = *readout_bias_,
      .memory = memory_of(inputs),
      .weights = inputs.weights,
      .initial = inputs.feed,
      .masks = inputs.side.step_masks,
      .dropout = config_.dropout,
      .residual = config_.rnn.residual == Switch::kOn ? Residual::kOn : Residual::kOff};
  for (std::size_t i = 1; i < decoder_.size(); ++i) {
    feeding.cells.push_back(cells_of(decoder_[i], inputs, i, std::nullopt));
    feeding.upper.push_back({decoder_[i].input, decoder_[i].input_bias});
  }
  const auto made = nn::input_feeding(graph, feeding);
  return {.output = made.outputs,
          .last = made.last,
          .feed = made.last_f,
          .weights = made.attention_weights};
}

}  // namespace awend::model
