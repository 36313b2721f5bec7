// The differentiable operations.  Each appends its forward launches and, in training, its gradient
// rule.
//
// Shapes are (rows, columns); rows are tokens packed end to end.  Each operation has a reference
// implementation in tests/reference, and a test in tests/kernels.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/activation.hpp"
#include "nn/graph.hpp"
#include "nn/settings.hpp"

namespace awend::nn {

/// x · w + bias, then the activation: (rows, w.columns).  `bias`, if given, is (1, w.columns).
Tensor linear(Graph& graph, const Tensor& x, const Parameter& w,
              const std::optional<Parameter>& bias = std::nullopt,
              Activation activation = Activation::kNone);

/// f(z), element by element: (rows, columns).  Not for kNone and kRelu, which linear() computes in
/// the matrix product; for the others linear() calls this.
Tensor activate(Graph& graph, const Tensor& z, Activation activation);

/// The keys of each query and the queries of each key, as begin and end of a range of rows.
struct AttentionRanges {
  Tensor keys_of_query;       ///< (query rows, 2)
  Tensor queries_of_key;      ///< (key rows, 2); unused in inference
  std::uint32_t longest = 0;  ///< The most rows of a range; 0: unknown.
};

struct AttentionShape {
  std::uint32_t heads;
  std::uint32_t d_k;  ///< Of each head; a multiple of 4.
  std::uint32_t d_v;
  double dropout = 0;
};

struct Projections {
  Tensor q;  ///< (query rows, heads · d_k)
  Tensor k;  ///< (key rows, heads · d_k)
  Tensor v;  ///< (key rows, heads · d_v)
};

/// softmax(q kᵀ / √d_k) v per head: (query rows, heads · d_v).
Tensor attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                 const AttentionShape& shape);

/// The same without matrix units.
Tensor portable_attention(Graph& graph, const Projections& projections,
                          const AttentionRanges& ranges, const AttentionShape& shape);

/// The maximum number of keys of a query of attention() in inference, because of kMaxIterations.
std::uint32_t max_attended_keys(const Engine& engine, const AttentionShape& shape);

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

/// x + dropout(a)
Tensor residual(Graph& graph, const Tensor& x, const Tensor& a, double dropout);

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

/// The projection of a decoder's output to the vocabulary.
struct OutputLayer {
  Parameter table;                             ///< (vocabulary, d_model)
  std::optional<Parameter> bias;               ///< (vocabulary, 1)
  std::vector<std::uint32_t> masked_ids = {};  ///< Ids with the probability 0.
};

struct LossInputs {
  Tensor targets;            ///< (rows, 1)
  std::uint32_t vocabulary;  ///< Rows of the output table.
  double label_smoothing;
  std::uint32_t chunk_rows =
      0;  ///< A multiple of 64; 0: as many that the logits of a chunk take about 32 MiB.
  bool for_host = false;  ///< Whether the losses of single rows are an output.
  /// Another StepScalars than that of the graph, with another loss_scale.
  std::optional<Tensor> step = {};
};

/// Label-smoothed cross entropy of softmax(x · tableᵀ + bias), in chunks of rows, so that the
/// logits of all rows are never in memory at once.  In training, also the gradient of loss ·
/// step_scalars.loss_scale for x, table and bias.
///
/// Ids are masked only in inference with `for_host`: in training, and in the losses that measure
/// it, smoothing gives every id a probability above 0.
class ChunkedLoss {
 public:
  ChunkedLoss(Graph& graph, const Tensor& x, const OutputLayer& output, const LossInputs& inputs);
  ChunkedLoss(Graph& graph, const Tensor& x, const Parameter& table, const LossInputs& inputs)
      : ChunkedLoss(graph, x, OutputLayer{.table = table, .bias = std::nullopt}, inputs) {}
  /// Sets the counts of the chunks; call after the count of x's rows is set, before each replay.
  void set_rows(std::uint32_t rows);
  /// An output (1, 2): the summed smoothed loss and the summed −ln p of the targets.
  const Tensor& totals() const { return totals_; }
  /// (rows, 2): smoothed loss and −ln p of each row; an output if `for_host`.
  const Tensor& rows() const { return rows_; }

 private:
  Program& program_;
  std::uint32_t chunk_rows_;
  Tensor rows_;
  std::vector<Count> chunks_;
  Tensor totals_;
};

/// Appends the update of all trained parameters from their gradients, which it resets to zero, and
/// of their moving average if there is one.  Returns an output (1, 2) whose first number is the
/// squared global norm of the gradients.  If it is not finite, only the gradients change.
Tensor adam(Graph& graph, Parameters& parameters, const AdamSettings& settings);

/// Appends the update of the 16-bit copies of all trained parameters; nothing if operands are fp32.
void narrow_operands(Program& program, const Parameters& parameters);

}  // namespace awend::nn
