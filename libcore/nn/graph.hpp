// The forward pass, and the backward pass derived from it.
//
// Each operation (operations.hpp) appends its forward launches to the program and its gradient rule
// to the tape; derive_backward() runs the rules in reverse order.  The first rule that computes a
// gradient of a tensor writes it, later ones add to it.  Test: tests/kernels/graph_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nn/attention/shape.hpp"
#include "nn/matmul/product.hpp"
#include "nn/parameters.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// The tensor for a gradient: a rule writes it, or adds to it if `adds`.
struct GradientTarget {
  Tensor tensor;
  bool adds;
};

/// The right operand of a product.  A parameter that is not trained can be prepared once for many
/// replays; then only matmul() with `constant` reads the tensor.
struct RightOperand {
  Tensor tensor;
  std::optional<ParameterOperand> constant;
};

/// The largest magnitudes of the left operand of a product with a matrix: an output (rows, 1).
struct LeftMagnitudes {
  Parameter matrix;
  Tensor rows;
};

class Graph {
 public:
  Graph(Program& program, Parameters& parameters, Mode mode)
      : program_(program), parameters_(parameters), mode_(mode) {}

  Program& program() { return program_; }
  bool training() const { return mode_ == Mode::kTraining; }
  /// An input (1, 16) that holds a StepScalars (shaders/lib/step.h), which the host writes before
  /// each replay.
  Tensor step_scalars();

  Tensor value(const Parameter& parameter);
  /// The operand of a matrix product for a parameter or a tensor: itself, or its 16-bit copy, which
  /// all products share.  Requires: only one operation writes the tensor, as in the forward pass.
  Element operand_element() const { return parameters_.operands(); }
  Tensor operand(const Tensor& tensor);
  /// `form` is that of the forward product with the parameter, kNN or kNT.
  Tensor operand(const Parameter& parameter, Form form = Form::kNN);
  /// The left operand of a product with `matrix`.
  Tensor left_operand(const Tensor& tensor, const Parameter& matrix);
  /// The same for a tensor that may change later, such as a gradient; each call makes a new copy.
  Tensor narrowed(const Tensor& tensor);
  /// The right operand of a forward product.
  RightOperand right_operand(const Parameter& parameter, Form form = Form::kNN);
  /// A parameter of which only rows that it has are read, without padding.
  Tensor table(const Parameter& parameter);
  /// The values of a parameter that is stored as integers.
  std::optional<host::Int8Matrix> integers(const Parameter& parameter) const;
  /// Whether the parameter is not frozen, so that a rule must compute its gradient.
  bool trains(const Parameter& parameter) const { return parameters_.trains(parameter); }
  /// The gradient of a parameter; rules add to it, Adam resets it to zero.
  Tensor parameter_gradient(const Parameter& parameter);

  /// Appends a gradient rule; does nothing in inference.
  void tape(std::function<void()> rule);
  /// The gradient that later operations computed for `tensor`, or nullopt if none used it.
  std::optional<Tensor> gradient(const Tensor& tensor) const;
  GradientTarget gradient_target(const Tensor& tensor);
  /// Starts the backward pass of a single operation at `dy`, the gradient of its result.
  void seed_gradient(const Tensor& result, const Tensor& dy);
  /// Appends all backward launches.
  void derive_backward();

  /// Calls `callback` for each attention that is appended from now on, right after it.
  void on_attention(std::function<void(const AttentionRecord&)> callback) {
    on_attention_ = std::move(callback);
  }
  void record_attention(const AttentionRecord& attention) const {
    if (on_attention_) on_attention_(attention);
  }

  /// With FakeQuantization::kCalibrating, those of all products so far.
  const std::vector<LeftMagnitudes>& left_magnitudes() const { return left_magnitudes_; }

  /// A unique number for each use of dropout, so that no two have the same mask.
  std::uint32_t next_dropout_id() { return next_dropout_id_++; }

 private:
  Tensor cached(std::unordered_map<std::uint32_t, Tensor>& cache, const Parameter& parameter,
                Parameters::Buffer buffer);
  bool is_rounded(const Parameter& parameter) const;

  Program& program_;
  Parameters& parameters_;
  Mode mode_;
  std::optional<Tensor> step_scalars_;
  std::unordered_map<std::uint32_t, Tensor> values_, tables_;
  std::unordered_map<std::uint32_t, Tensor> parameter_operands_;
  std::unordered_map<std::uint32_t, Tensor> operands_;  // by tensor id
  // With fake quantization: of parameters as they are stored, and as they are multiplied; of
  // tensors, by id and scale.
  std::unordered_map<std::uint32_t, Tensor> rounded_values_, rounded_operands_;
  std::map<std::pair<std::uint32_t, float>, Tensor> rounded_tensors_;
  std::vector<LeftMagnitudes> left_magnitudes_;
  std::unordered_map<std::uint32_t, Tensor> parameter_gradients_;
  std::unordered_map<std::uint32_t, Tensor> gradients_;  // by tensor id
  std::vector<std::function<void()>> tape_;
  std::function<void(const AttentionRecord&)> on_attention_;
  std::uint32_t next_dropout_id_ = 1;
};

}  // namespace awend::nn
