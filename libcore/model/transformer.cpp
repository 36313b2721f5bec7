#include "model/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "base/error.hpp"

namespace awend::model {

std::vector<float> sinusoids(std::uint32_t rows, std::uint32_t columns) {
  // A sine and a cosine of each angle would be a quarter of a small model's start.  Angles add:
  // those of the first rows and those of every 64th row give all, in twice the precision needed.
  constexpr std::uint32_t kRows = 64;
  std::vector<double> frequencies((columns + 1) / 2);
  for (std::uint32_t i = 0; i < frequencies.size(); ++i)
    frequencies[i] = std::pow(10000.0, -2.0 * i / columns);
  using Angle = std::complex<double>;  // cosine, sine
  std::vector<Angle> within;           // (kRows, frequencies)
  for (std::uint32_t row = 0; row < std::min(kRows, rows); ++row) {
    for (const double frequency : frequencies) within.push_back(std::polar(1.0, row * frequency));
  }
  std::vector<float> table(std::size_t{rows} * columns);
  std::vector<Angle> first(frequencies.size());
  for (std::uint32_t position = 0; position < rows; ++position) {
    const std::uint32_t row = position % kRows;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      if (row == 0) first[i] = std::polar(1.0, position * frequencies[i]);
      const Angle a = first[i], b = within[row * frequencies.size() + i];
      const std::size_t at = std::size_t{position} * columns + 2 * i;
      table[at] = static_cast<float>(a.imag() * b.real() + a.real() * b.imag());
      if (2 * i + 1 < columns)
        table[at + 1] = static_cast<float>(a.real() * b.real() - a.imag() * b.imag());
    }
  }
  return table;
}

Transformer::Transformer(const Config& config, nn::Parameters& parameters) : config_(config) {
  validate(config);
  const auto table = [&](const char* name) {
    return parameters.add(name, config.vocabulary, config.d_model, nn::Initializer::kEmbedding);
  };
  // Section 3.4: one matrix for both embeddings and the projection, unless told otherwise.
  if (config.tie == Tie::kAll) {
    source_embedding_ = target_embedding_ = projection_ = table("embedding");
  } else {
    source_embedding_ = table("source_embedding");
    target_embedding_ = table("target_embedding");
    projection_ = config.tie == Tie::kDecoder ? target_embedding_ : table("projection");
  }
  if (config.positions == Positions::kLearned) {
    const auto positions = [&](const char* name) {
      return parameters.add(name, config.longest, config.d_model, nn::Initializer::kEmbedding);
    };
    source_positions_ = positions("source_positions");
    target_positions_ = positions("target_positions");
  }
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    const std::string name = base::concat("encoder.", i);
    encoder_.push_back(
        {.self = declare_attention(parameters, config, name + ".self"),
         .self_norm = declare_norm(parameters, config, name + ".self_norm"),
         .feed_forward = declare_feed_forward(parameters, config, name + ".feed_forward"),
         .feed_forward_norm = declare_norm(parameters, config, name + ".feed_forward_norm")});
  }
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    const std::string name = base::concat("decoder.", i);
    decoder_.push_back(
        {.self = declare_attention(parameters, config, name + ".self"),
         .self_norm = declare_norm(parameters, config, name + ".self_norm"),
         .cross = declare_attention(parameters, config, name + ".cross"),
         .cross_norm = declare_norm(parameters, config, name + ".cross_norm"),
         .feed_forward = declare_feed_forward(parameters, config, name + ".feed_forward"),
         .feed_forward_norm = declare_norm(parameters, config, name + ".feed_forward_norm")});
  }
  if (config.norm == Norm::kPre) {
    encoder_norm_ = declare_norm(parameters, config, "encoder.norm");
    decoder_norm_ = declare_norm(parameters, config, "decoder.norm");
  }
}

nn::PositionTable Transformer::position_table(nn::Graph& graph,
                                              const std::optional<nn::Parameter>& learned,
                                              std::uint32_t longest) const {
  if (learned) return {graph.value(*learned), graph.training() ? learned : std::nullopt};
  return {graph.program().constant(config_.d_model, sinusoids(longest, config_.d_model)),
          std::nullopt};
}

nn::Tensor Transformer::encode(nn::Graph& graph, const SourceInputs& inputs) const {
  const auto positions = position_table(graph, source_positions_, inputs.rows.capacity);
  nn::Tensor x =
      nn::embedding(graph, inputs.embedding, source_embedding_, positions, config_.dropout);
  for (const EncoderLayer& layer : encoder_) {
    x = sublayer(graph, config_, layer.self_norm, x, [&](const nn::Tensor& y) {
      return attend(graph, config_, layer.self, y, y, inputs.self);
    });
    x = sublayer(graph, config_, layer.feed_forward_norm, x, [&](const nn::Tensor& y) {
      return feed_forward(graph, config_, layer.feed_forward, y);
    });
  }
  return encoder_norm_ ? nn::layer_norm(graph, x, encoder_norm_->gain, encoder_norm_->bias) : x;
}

nn::Tensor Transformer::embed_target(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                                     std::uint32_t longest) const {
  const auto positions = position_table(graph, target_positions_, longest);
  return nn::embedding(graph, inputs, target_embedding_, positions, config_.dropout);
}

nn::Tensor Transformer::decode(nn::Graph& graph, const TargetInputs& inputs,
                               const nn::Tensor& memory) const {
  nn::Tensor x = embed_target(graph, inputs.embedding, inputs.rows.capacity);
  for (const DecoderLayer& layer : decoder_) {
    x = sublayer(graph, config_, layer.self_norm, x, [&](const nn::Tensor& y) {
      return attend(graph, config_, layer.self, y, y, inputs.self);
    });
    x = sublayer(graph, config_, layer.cross_norm, x, [&](const nn::Tensor& y) {
      return attend(graph, config_, layer.cross, y, memory, inputs.cross);
    });
    x = sublayer(graph, config_, layer.feed_forward_norm, x, [&](const nn::Tensor& y) {
      return feed_forward(graph, config_, layer.feed_forward, y);
    });
  }
  return decoder_norm_ ? nn::layer_norm(graph, x, decoder_norm_->gain, decoder_norm_->bias) : x;
}

nn::LossInputs Transformer::loss_inputs(const BatchInputs& inputs) const {
  return {.targets = inputs.target.targets,
          .vocabulary = config_.vocabulary,
          .label_smoothing = config_.label_smoothing};
}

nn::ChunkedLoss Transformer::loss(nn::Graph& graph, const BatchInputs& inputs) const {
  const nn::Tensor memory = encode(graph, inputs.source);
  return {graph, decode(graph, inputs.target, memory), projection_, loss_inputs(inputs)};
}

nn::ChunkedLoss Transformer::token_losses(nn::Graph& graph, const BatchInputs& inputs) const {
  auto of_tokens = loss_inputs(inputs);
  of_tokens.for_host = true;
  const nn::Tensor memory = encode(graph, inputs.source);
  return {graph, decode(graph, inputs.target, memory), projection_, of_tokens};
}

bool Transformer::is_table(const nn::Parameter& parameter) const {
  return parameter.index == source_embedding_.index || parameter.index == target_embedding_.index ||
         parameter.index == projection_.index;
}

}  // namespace awend::model
