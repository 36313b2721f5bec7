// The parameters of a recurrent encoder-decoder.
#include "base/error.hpp"
#include "model/rnn/network.hpp"

namespace awend::model {
namespace {

// The output has a column that is 1 and three that are 0, because kernels read vectors of four.
constexpr std::uint32_t kBiasColumns = 4;

}  // namespace

RnnNetwork::RnnNetwork(const Config& config, nn::Parameters& parameters) : config_(config) {
  validate(config);
  declare_tables(parameters);
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    const std::string name = base::concat("encoder.", i);
    const bool both = config.rnn.bidirectional == Bidirectional::kAll ||
                      (config.rnn.bidirectional == Bidirectional::kFirst && i == 0);
    const std::uint32_t inputs = i == 0 ? config.rnn.d_embedding : layer_columns(i - 1);
    RnnEncoderLayer layer{declare_layer(parameters, name, inputs), std::nullopt};
    if (both) layer.reverse = declare_layer(parameters, name + ".reverse", inputs);
    encoder_.push_back(layer);
  }
  declare_bridge(parameters);
  declare_decoder(parameters);
  declare_attention(parameters);
  declare_readout(parameters);
}

void RnnNetwork::declare_bridge(nn::Parameters& parameters) {
  const std::uint32_t size = config_.d_model;
  std::uint32_t inputs = config_.rnn.bridge == Bridge::kReverse ? size : memory_columns();
  if (feeds_context()) {
    summary_ = parameters.add("summary", inputs, size, nn::Initializer::kGlorotUniform);
    summary_bias_ = parameters.add("summary_bias", 1, size, nn::Initializer::kZero);
    inputs = size;
  }
  if (config_.rnn.bridge == Bridge::kCopy) return;
  bridge_ = parameters.add("bridge", inputs, size, nn::Initializer::kGlorotUniform);
  bridge_bias_ = parameters.add("bridge_bias", 1, size, nn::Initializer::kZero);
}

void RnnNetwork::declare_tables(nn::Parameters& parameters) {
  const auto& [tie, d_embedding] = std::pair(config_.rnn.tie, config_.rnn.d_embedding);
  const auto table = [&](const char* name, std::uint32_t rows, std::uint32_t columns) {
    return parameters.add(name, rows, columns, nn::Initializer::kEmbedding);
  };
  if (ties_embeddings(tie)) {
    source_embedding_ = target_embedding_ = table("embedding", config_.vocabulary, d_embedding);
  } else {
    source_embedding_ = table("source_embedding", source_vocabulary_of(config_), d_embedding);
    target_embedding_ = table("target_embedding", config_.vocabulary, d_embedding);
  }
  if (!ties_projection(tie)) {
    projection_ = table("projection", config_.vocabulary, readout_columns(config_) + kBiasColumns);
    return;
  }
  projection_ = target_embedding_;
  output_bias_ = parameters.add("output_bias", config_.vocabulary, 1, nn::Initializer::kZero);
}

RnnLayer RnnNetwork::declare_layer(nn::Parameters& parameters, const std::string& name,
                                   std::uint32_t inputs) const {
  const std::uint32_t gates = nn::gates_of(config_.rnn.cell) * config_.d_model;
  const auto matrix = [&](const char* part, std::uint32_t rows) {
    return parameters.add(base::concat(name, ".", part), rows, gates,
                          nn::Initializer::kGlorotUniform);
  };
  const auto bias = [&](const char* part) {
    return parameters.add(base::concat(name, ".", part), 1, gates, nn::Initializer::kZero);
  };
  RnnLayer layer{.input = matrix("input", inputs), .input_bias = bias("input_bias"), .cell = {}};
  layer.cell = {config_.rnn.cell, matrix("hidden", config_.d_model), bias("hidden_bias")};
  return layer;
}

void RnnNetwork::declare_decoder(nn::Parameters& parameters) {
  const std::uint32_t gates = nn::gates_of(config_.rnn.cell) * config_.d_model;
  for (std::uint32_t i = 0; i < config_.decoder_layers; ++i) {
    const std::string name = base::concat("decoder.", i);
    decoder_.push_back(
        declare_layer(parameters, name, i == 0 ? config_.rnn.d_embedding : config_.d_model));
    if (config_.rnn.attention == RnnAttention::kAdditive || feeds_context()) {
      contexts_.push_back(parameters.add(name + ".context", context_columns(), gates,
                                         nn::Initializer::kGlorotUniform));
    }
  }
  if (config_.rnn.conditional_cell == Switch::kOn) {
    second_cell_ = {
        config_.rnn.cell,
        parameters.add("decoder.0.second.hidden", config_.d_model, gates,
                       nn::Initializer::kGlorotUniform),
        parameters.add("decoder.0.second.hidden_bias", 1, gates, nn::Initializer::kZero)};
  }
  if (config_.rnn.input_feeding == Switch::kOn) {
    feed_ =
        parameters.add("decoder.0.feed", config_.d_model, gates, nn::Initializer::kGlorotUniform);
  }
}

void RnnNetwork::declare_attention(nn::Parameters& parameters) {
  const std::uint32_t size = config_.d_model, memory = memory_columns();
  const auto matrix = [&](const char* name, std::uint32_t rows, std::uint32_t columns) {
    return parameters.add(name, rows, columns, nn::Initializer::kGlorotUniform);
  };
  if (config_.rnn.attention == RnnAttention::kAdditive) {
    const std::uint32_t inner = config_.rnn.d_attention;
    query_ = matrix("attention.query", size, inner);
    key_ = matrix("attention.key", memory, inner);
    key_bias_ = parameters.add("attention.key_bias", 1, inner, nn::Initializer::kZero);
    vector_ = matrix("attention.vector", 1, inner);
  } else if (config_.rnn.attention == RnnAttention::kGeneral) {
    key_ = matrix("attention.key", memory, size);
  }
  if (config_.rnn.attention_span == AttentionSpan::kPredictive) {
    center_ = matrix("attention.center", size, size);
    center_vector_ = matrix("attention.center_vector", 1, size);
  }
}

void RnnNetwork::declare_readout(nn::Parameters& parameters) {
  if (!has_readout(config_)) return;
  const bool is_maxout = config_.rnn.readout == Readout::kMaxout;
  const std::uint32_t columns = readout_columns(config_) * (is_maxout ? 2 : 1);
  const auto matrix = [&](const char* name, std::uint32_t rows) {
    return parameters.add(name, rows, columns, nn::Initializer::kGlorotUniform);
  };
  if (config_.rnn.attention == RnnAttention::kAdditive || feeds_context())
    readout_embedding_ = matrix("readout.embedding", config_.rnn.d_embedding);
  readout_state_ = matrix("readout.state", config_.d_model);
  readout_context_ = matrix("readout.context", context_columns());
  readout_bias_ = parameters.add("readout.bias", 1, columns, nn::Initializer::kZero);
}

std::uint32_t RnnNetwork::layer_columns(std::uint32_t layer) const {
  return (encoder_[layer].reverse ? 2 : 1) * config_.d_model;
}

std::uint32_t RnnNetwork::memory_columns() const {
  return layer_columns(config_.encoder_layers - 1);
}

std::uint32_t RnnNetwork::context_columns() const {
  return feeds_context() ? config_.d_model : memory_columns();
}

std::uint32_t RnnNetwork::key_columns() const {
  switch (config_.rnn.attention) {
    case RnnAttention::kNone:
      return 0;
    case RnnAttention::kAdditive:
      return config_.rnn.d_attention;
    default:
      return config_.d_model;
  }
}

bool RnnNetwork::is_table(const nn::Parameter& parameter) const {
  return parameter.index == source_embedding_.index || parameter.index == target_embedding_.index ||
         parameter.index == projection_.index ||
         (output_bias_ && parameter.index == output_bias_->index);
}

}  // namespace awend::model
