// The projection to the vocabulary and its loss (section 5.4).  Test: tests/kernels/loss_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/parameters.hpp"
#include "nn/tensor.hpp"

namespace awend::nn {

class Graph;

/// The projection of a decoder's output to the vocabulary.
struct OutputLayer {
  Parameter table;                             ///< (vocabulary, d_model)
  std::optional<Parameter> bias;               ///< (vocabulary, 1)
  std::vector<std::uint32_t> masked_ids = {};  ///< Ids with the probability 0.
};

struct LossInputs {
  Tensor targets;            ///< (rows, 1); a row with NO_TOKEN has no loss.
  std::uint32_t vocabulary;  ///< Rows of the output table.
  double label_smoothing;
  std::uint32_t chunk_rows =
      0;  ///< A multiple of 64; 0: as many that the logits of a chunk take about 32 MiB.
  bool for_host = false;  ///< Whether the losses of single rows are an output.
  /// Another StepScalars than that of the graph, with another loss_scale.
  std::optional<Tensor> step = {};
};

/// Losses of rows, and their sum.
class Loss {
 public:
  /// Sets the counts of the chunks, if there are any; call after the count of x's rows is set,
  /// before each replay.
  void set_rows(std::uint32_t rows);
  /// An output (1, 2): the summed smoothed loss and the summed −ln p of the targets.
  const Tensor& totals() const { return totals_; }
  /// (rows, 2): smoothed loss and −ln p of each row; an output if `for_host`.
  const Tensor& rows() const { return rows_; }

 protected:
  Loss(Program& program, const Tensor& rows) : program_(program), rows_(rows) {}
  Program& program() { return program_; }
  /// The next rows of x.
  Count add_chunk(std::uint32_t rows);
  /// Appends the sum, after the losses of all rows.
  void append_totals();

 private:
  Program& program_;
  Tensor rows_;
  std::vector<Count> chunks_;
  Tensor totals_;
};

/// Label-smoothed cross entropy of softmax(x · tableᵀ + bias), in chunks of rows, so that the
/// logits of all rows are never in memory at once.  In training, also the gradient of loss ·
/// step_scalars.loss_scale for x, table and bias.
///
/// Ids are masked only in inference with `for_host`: in training, and in the losses that measure
/// it, smoothing gives every id a probability above 0.
class ChunkedLoss : public Loss {
 public:
  ChunkedLoss(Graph& graph, const Tensor& x, const OutputLayer& output, const LossInputs& inputs);
  ChunkedLoss(Graph& graph, const Tensor& x, const Parameter& table, const LossInputs& inputs)
      : ChunkedLoss(graph, x, OutputLayer{.table = table, .bias = std::nullopt}, inputs) {}
};

struct SpanLossInputs {
  Tensor ranges;   ///< (sentences, 2): the first row of each sentence, and the end of its rows
  Tensor targets;  ///< (sentences, 2): the first and the last row of its span
};

/// Cross entropy of the first and the last row of a span of each sentence, whose logits are the two
/// columns of x · tableᵀ + bias, by the softmax over the rows of the sentence.  Both losses of a
/// sentence are added.  In training, also the gradient of loss · step_scalars.loss_scale for x,
/// table and bias.
class SpanLoss : public Loss {
 public:
  /// `output` has two rows.
  SpanLoss(Graph& graph, const Tensor& x, const OutputLayer& output, const SpanLossInputs& inputs);
};

}  // namespace awend::nn
