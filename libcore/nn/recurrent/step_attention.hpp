// Attention of a recurrent decoder over the source of each sentence, one head: additive (Bahdanau
// et al., 2015) or by dot products (Luong et al., 2015); also of a memory network over the
// sentences of a story.  Test: tests/kernels/step_attention_test.cpp.
#pragma once

#include <optional>

#include "nn/parameters.hpp"
#include "nn/recurrent/steps.hpp"

namespace awend::nn {

class Graph;

/// Attention to the keys that are at most `width` from a center (Luong et al., 2015).  Keys are
/// counted from the first one of a query.
struct AttentionWindow {
  std::uint32_t width;
  /// (rows, 1): the center of each packed row as a float; if it is not predicted.
  std::optional<Tensor> centers;
  /// S σ(vᵀ tanh(q W)) for a query q of S keys; weights are multiplied by a Gaussian with a
  /// standard deviation of width / 2 around it.
  struct Prediction {
    Parameter w, v;  ///< (columns, inner columns), (1, inner columns)
  };
  std::optional<Prediction> predicted;
};

/// What queries attend to.
struct AttentionMemory {
  Tensor keys;                        ///< (source rows, columns)
  Tensor values;                      ///< (source rows, value columns)
  std::optional<Parameter> additive;  ///< v in the score vᵀ tanh(q + k), (1, columns)
  Tensor keys_of_query;               ///< (rows, 2): first key and end of the keys of a packed row
  Tensor queries_of_key;              ///< (source rows, 2); unused in inference
  std::uint32_t max_keys;             ///< Of a query.
  /// (1, 1): while it is 0, the weights are the scores (linear start of Sukhbaatar et al., 2015).
  std::optional<Parameter> softmax = {};
  /// The softmax is over at least as many keys: the keys and values that a query lacks are zeros,
  /// so that its weights may add up to less than 1.
  std::uint32_t slots = 0;
  /// Of the keys with weights; default: all.  Only without `additive`, `softmax` and `slots`.
  std::optional<AttentionWindow> window = {};
};

/// The most keys of a query, because of kMaxIterations.
std::uint32_t max_step_keys(const Engine& engine, std::uint32_t columns,
                            std::uint32_t value_columns);

/// The attention of all steps, appended step by step: forward() for each step in order; then, in a
/// gradient rule, begin_backward(), backward() for each step in reverse order, end_backward().
class AttentionSteps {
 public:
  enum class Weights { kInternal, kOutput };
  AttentionSteps(Graph& graph, const AttentionMemory& memory, const Steps& steps, const Count& rows,
                 Weights weights);

  /// `query`: by rank (sentences, columns).
  void forward(std::size_t t, const Tensor& query);
  /// By rank (sentences, value columns), of the last step.
  const Tensor& context() const { return context_; }
  /// (rows, value columns)
  const Tensor& contexts() const { return contexts_; }
  /// (rows, max_keys): the weights of a row begin at its first key.  In training, or if they are
  /// an output.
  const Tensor& weights() const { return *weights_; }

  void begin_backward();
  struct StepGradients {
    std::optional<Tensor> dcontext;  ///< By rank: added to the gradient of contexts().
    Tensor dquery;                   ///< By rank.
    bool adds;                       ///< To dquery.
  };
  void backward(std::size_t t, const StepGradients& gradients);
  /// Appends the gradients of the memory and of `additive`.
  void end_backward();
  /// (rows, columns): the gradients of the queries, without those of predicted centers.
  const Tensor& dqueries() const { return *dqueries_; }

 private:
  Tensor softmax() const;
  Tensor centers() const;
  std::uint32_t window() const { return memory_.window ? memory_.window->width : 0; }
  bool predicts() const { return memory_.window && memory_.window->predicted; }
  void predict_centers(std::size_t t, const Tensor& query);
  void backward_centers(std::size_t t, const Tensor& dquery);
  void end_centers();

  Graph* graph_;
  AttentionMemory memory_;
  Steps steps_;
  Count rows_;
  Tensor context_, contexts_;
  std::optional<Tensor> weights_, queries_;
  std::optional<Tensor> dcontexts_, dscores_, dqueries_;
  // Of a predicted center: products by rank, and packed; in the gradient rule, gradients.
  std::optional<Tensor> product_, products_, centers_;
  std::optional<Tensor> dcenters_, dproduct_, dproducts_, dv_;
  bool has_dcontexts_ = false;
};

/// The contexts of queries (rows, columns) that are all known: (rows, value columns).  `weights`,
/// if given, receives AttentionSteps::weights().
Tensor attend_all(Graph& graph, const Tensor& queries, const AttentionMemory& memory,
                  const Steps& one_step, std::optional<Tensor>* weights);

}  // namespace awend::nn
