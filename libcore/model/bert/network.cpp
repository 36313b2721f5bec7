#include "model/bert/network.hpp"

#include "base/error.hpp"
#include "model/bert/bert_fields.hpp"
#include "model/weight_layout.hpp"
#include "nn/graph.hpp"

namespace awend::model {
namespace {

/// A dense layer (d_model, d_model) with bias.
Projection declare_dense(nn::Parameters& parameters, const Config& config,
                         const std::string& name) {
  return {.weight =
              parameters.add(name, config.d_model, config.d_model, nn::Initializer::kGlorotUniform),
          .bias = parameters.add(name + "_bias", 1, config.d_model, nn::Initializer::kZero)};
}

}  // namespace

BertNetwork::BertNetwork(const Config& config, nn::Parameters& parameters)
    : config_(with_fixed_settings(config)) {
  validate(config_);
  const auto table = [&](const char* name, std::uint32_t rows) {
    return parameters.add(name, rows, config_.d_model, nn::Initializer::kEmbedding);
  };
  embedding_ = table("embedding", config_.vocabulary);
  positions_ = table("positions", config_.max_positions);
  segments_ = table("segments", config_.bert.segments);
  embedding_norm_ = declare_norm(parameters, config_, "encoder.embedding_norm");
  for (std::uint32_t i = 0; i < config_.encoder_layers; ++i)
    layers_.push_back(declare_encoder_layer(parameters, config_, base::concat("encoder.", i)));
  declare_heads(parameters);
}

void BertNetwork::declare_heads(nn::Parameters& parameters) {
  const auto& bert = config_.bert;
  if (bert.metric.kind != MetricKind::kNone) return declare_estimator(parameters);
  const bool is_pretrained = bert.task == Task::kPretrain;
  if (is_pretrained) {
    masked_dense_ = declare_dense(parameters, config_, "masked.dense");
    masked_norm_ = declare_norm(parameters, config_, "masked.norm");
    masked_bias_ = parameters.add("masked.bias", config_.vocabulary, 1, nn::Initializer::kZero);
  }
  const bool has_pairs = is_pretrained && bert.next_sentence == Switch::kOn;
  if (has_pairs || bert.task == Task::kClassify)
    pooler_ = declare_dense(parameters, config_, "pooler.dense");
  if (has_pairs) next_sentence_ = declare_classifier(parameters, "next_sentence", 2);
  if (is_pretrained) return;
  if (bert.task == Task::kSpans) {
    spans_ = declare_classifier(parameters, "span", 2);
    return;
  }
  if (bert.labels.empty()) base::fail("a model that assigns labels needs the setting labels");
  labels_ =
      declare_classifier(parameters, "classifier", static_cast<std::uint32_t>(bert.labels.size()));
}

/// These are read by decode/quality_estimator.hpp, because they are applied to whole texts.
/// They are columns, because rows of other sizes than multiples of 4 are not possible on a device.
void BertNetwork::declare_estimator(nn::Parameters& parameters) const {
  using Init = nn::Initializer;
  parameters.add("mix", config_.encoder_layers + 1, 1, Init::kZero);
  std::size_t number = 0;
  for (const auto& layer : estimator_layers(config_)) {
    const auto name = base::concat("estimator.", number++);
    parameters.add(name, layer.inputs * layer.outputs, 1, Init::kGlorotUniform);
    parameters.add(name + "_bias", layer.outputs, 1, Init::kZero);
  }
}

nn::OutputLayer BertNetwork::declare_classifier(nn::Parameters& parameters, const std::string& name,
                                                std::uint32_t classes) {
  return {.table = parameters.add(name, classes, config_.d_model, nn::Initializer::kGlorotUniform),
          .bias = parameters.add(name + "_bias", classes, 1, nn::Initializer::kZero)};
}

bool BertNetwork::is_table(const nn::Parameter& parameter) const {
  return parameter.index == embedding_.index ||
         (masked_bias_ && parameter.index == masked_bias_->index);
}

std::vector<nn::Tensor> BertNetwork::encode_layers(nn::Graph& graph,
                                                   const BertInputs& inputs) const {
  const LayerContext context{graph, config_};
  const auto learned = graph.training() ? std::optional(positions_) : std::nullopt;
  const nn::Tensor tokens =
      nn::embedding(graph, inputs.tokens, embedding_, {graph.value(positions_), learned},
                    {0, config_.transformer.embedding_scale});
  const nn::Tensor sum =
      nn::residual(graph, tokens, nn::lookup_few(graph, inputs.segments, segments_), 0);
  std::vector<nn::Tensor> outputs = {
      nn::dropout(graph, layer_norm(context, sum, embedding_norm_), config_.dropout)};
  for (const EncoderLayer& layer : layers_)
    outputs.push_back(encoder_layer(context, layer, outputs.back(), inputs.ranges));
  return outputs;
}

nn::Tensor BertNetwork::head(nn::Graph& graph, const nn::Tensor& rows) const {
  switch (config_.bert.task) {
    case Task::kPretrain:
      return layer_norm({graph, config_},
                        nn::linear(graph, rows, masked_dense_->weight, masked_dense_->bias,
                                   config_.transformer.activation),
                        *masked_norm_);
    case Task::kClassify:
      return nn::dropout(graph, pooled(graph, rows), config_.dropout);
    case Task::kSpans:
      return rows;
    case Task::kTag:
      break;
  }
  return nn::dropout(graph, rows, config_.dropout);
}

nn::OutputLayer BertNetwork::predictions() const {
  if (spans_) return *spans_;
  return labels_ ? *labels_ : nn::OutputLayer{.table = embedding_, .bias = masked_bias_};
}

nn::Tensor BertNetwork::pooled(nn::Graph& graph, const nn::Tensor& first_rows) const {
  return nn::linear(graph, first_rows, pooler_->weight, pooler_->bias, nn::Activation::kTanh);
}

}  // namespace awend::model
