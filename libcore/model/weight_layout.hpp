// The weights that the checkpoint of a Transformer, a recurrent network or BERT contains, without
// the network: programs that convert models need no device.  Test:
// tests/unit/model/weight_layout_test.cpp, which compares them with the parameters of the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.hpp"

namespace awend::model {

/// A weight by its place in the network: "decoder.1.cross.query_bias" is `cross.query_bias` of
/// decoder layer 1, and "embedding" is in no layer.
struct WeightShape {
  std::string side;                    ///< "encoder", "decoder", or empty
  std::optional<std::uint32_t> layer;  ///< of this side
  std::string part;                    ///< the rest of the name
  std::uint32_t rows = 0, columns = 0;

  std::string name() const;
};

/// In the order of the checkpoint.  Throws Error if the settings are invalid.
std::vector<WeightShape> transformer_weights(const Config& config);
std::vector<WeightShape> rnn_weights(const Config& config);
std::vector<WeightShape> bert_weights(const Config& config);
/// Those of the architecture of `config`.  Throws Error if it has no layout here.
std::vector<WeightShape> weights_of(const Config& config);

enum class WeightLayout { kTransformer, kRnn, kBert };
/// The layout of an architecture.  Throws Error if it has none.
WeightLayout layout_of(std::string_view architecture);

/// Whether a stack of layers ends in a normalization; `side` is kEncoder or kDecoder.
bool has_final_norm(const Config& config, FinalNorm side);

/// A layer of a metric's estimator; the last one has one output.
struct EstimatorLayer {
  std::uint32_t inputs, outputs;
};
/// Those of a metric, first to last.  The weights "estimator.0", … of a layer are a column with the
/// weights of input 0 first, those to output 0 before the others.
std::vector<EstimatorLayer> estimator_layers(const Config& config);

}  // namespace awend::model
