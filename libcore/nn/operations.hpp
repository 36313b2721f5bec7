// The differentiable operations.  Each appends its forward launches and, in training, its gradient
// rule.
//
// Shapes are (rows, columns); rows are tokens packed end to end.  Each operation has a reference
// implementation in tests/reference, and a test in tests/kernels.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/activation.hpp"
#include "nn/attention/shape.hpp"
#include "nn/loss.hpp"
#include "nn/operation_settings.hpp"
#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

/// x · w + bias, then the activation: (rows, w.columns).  `bias`, if given, is (1, w.columns).
Tensor linear(Graph& graph, const Tensor& x, const Parameter& w,
              const std::optional<Parameter>& bias = std::nullopt,
              Activation activation = Activation::kNone);

/// f(z), element by element: (rows, columns).  Not for kNone and kRelu, which linear() computes in
/// the matrix product; for the others linear() calls this.
Tensor activate(Graph& graph, const Tensor& z, Activation activation);

/// f(z) · x, element by element: (rows, columns).  For all activation functions but kNone.
Tensor gated_activation(Graph& graph, const Tensor& z, const Tensor& x, Activation activation);

/// The larger of each two neighboring columns: (rows, z.columns / 2).
Tensor maxout(Graph& graph, const Tensor& z);

/// softmax(q kᵀ / √d_k + bias) v per head: (query rows, heads · d_v).
Tensor attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                 const AttentionShape& shape);

/// The same without matrix units.
Tensor portable_attention(Graph& graph, const Projections& projections,
                          const AttentionRanges& ranges, const AttentionShape& shape);

/// The maximum number of keys of a query of attention() in inference, because of kMaxIterations.
std::uint32_t max_attended_keys(const Engine& engine, const AttentionShape& shape);

/// The same of attention with biases by relative positions, also in training.
std::uint32_t max_biased_keys(const Engine& engine, const AttentionShape& shape);

/// The weights of an attention, for the host: an output (query rows, heads · max_keys).  The
/// weights of a row and head begin at the first key of the row; elements after its last key are
/// undefined.
Tensor attention_weights(Graph& graph, const AttentionRecord& attention, std::uint32_t max_keys);

/// Gain and bias are (1, columns).
struct LayerNorm {
  Parameter gain, bias;
  double epsilon = 1e-6;
};

/// gain · (x − mean) / √(variance + epsilon) + bias of each row.
Tensor layer_norm(Graph& graph, const Tensor& x, const LayerNorm& norm);
/// The same with the default epsilon.
inline Tensor layer_norm(Graph& graph, const Tensor& x, const Parameter& gain,
                         const Parameter& bias) {
  return layer_norm(graph, x, {.gain = gain, .bias = bias});
}

/// gain · x / √(mean of x² + epsilon) of each row (Zhang and Sennrich, 2019).
Tensor rms_norm(Graph& graph, const Tensor& x, const Parameter& gain, double epsilon);

/// x + dropout(a)
Tensor residual(Graph& graph, const Tensor& x, const Tensor& a, double dropout);

/// factor · a
Tensor scaled(Graph& graph, const Tensor& a, double factor);

/// dropout(a); `a` itself in inference or if the probability is 0.
Tensor dropout(Graph& graph, const Tensor& a, double probability);

/// Rows grouped by a key (a token id, a position), for gradients of tables.
struct Segments {
  Count count;    ///< Distinct keys.
  Tensor keys;    ///< (count, 1), ascending
  Tensor begins;  ///< (count + 1, 1), into rows
  Tensor rows;    ///< (rows, 1), ascending within a key
};

struct EmbeddingInputs {
  Tensor ids;                           ///< (rows, 1); NO_TOKEN is the zero vector
  Tensor positions;                     ///< (rows, 1), from 0
  std::optional<Segments> by_id;        ///< Training only.
  std::optional<Segments> by_position;  ///< Training with learned positions only.
};

/// A constant table, such as sinusoids, or a learned one.
struct PositionTable {
  Tensor values;  ///< (longest, d_model)
  std::optional<Parameter> learned;
};

struct EmbeddingSettings {
  EmbeddingSettings(double dropout_probability,
                    EmbeddingScale factor = EmbeddingScale::kRootOfColumns)
      : dropout(dropout_probability), scale(factor) {}

  double dropout;
  EmbeddingScale scale;
};

/// dropout(scale · table[id] + positions[place]): (rows, d_model).
Tensor embedding(Graph& graph, const EmbeddingInputs& inputs, const Parameter& table,
                 const PositionTable& positions, const EmbeddingSettings& settings);

/// Appends the update of all trained parameters from their gradients, which it resets to zero, and
/// of their moving average if there is one.  Returns an output (1, 2) whose first number is the
/// squared global norm of the gradients.  If it is not finite, only the gradients change.
Tensor adam(Graph& graph, Parameters& parameters, const AdamSettings& settings);

/// The same, with the matrices of layers by Muon.
Tensor muon(Graph& graph, Parameters& parameters, const MuonSettings& settings);

/// The same by stochastic gradient descent without momentum.
Tensor sgd(Graph& graph, Parameters& parameters, const WeightDecay& decay);

/// Appends the update of the 16-bit copies of all trained parameters; nothing if operands are fp32.
void narrow_operands(Program& program, const Parameters& parameters);

}  // namespace awend::nn
