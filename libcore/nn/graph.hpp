// The forward pass, and the backward pass derived from it.
//
// Each operation (operations.hpp) appends its forward launches to the program and leaves its
// gradient rule on the tape; derive_backward() plays the tape from the end.  The first rule that
// reaches a tensor's gradient writes it, later ones add.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nn/parameters.hpp"
#include "nn/program.hpp"

namespace awend::nn {

enum class Mode { kTraining, kInference };

/// Where a gradient goes: `tensor` is overwritten, or added to if `adds`.
struct GradientTarget {
  Tensor tensor;
  bool adds;
};

/// An attention as it was appended: what its weights follow from.
struct AttentionRecord {
  Tensor key_ranges;   ///< (query rows, 2)
  Tensor q, k;         ///< (rows, heads · d_k)
  Tensor log_sum_exp;  ///< (query rows, heads)
  std::uint32_t heads;
  std::uint32_t d_k;
};

class Graph {
 public:
  Graph(Program& program, Parameters& parameters, Mode mode)
      : program_(program), parameters_(parameters), mode_(mode) {}

  Program& program() { return program_; }
  bool training() const { return mode_ == Mode::kTraining; }
  /// Scalars of the step, shaders/op.h StepScalars, as an input of (1, 16); written by the host
  /// before each replay.
  Tensor step_scalars();

  Tensor value(const Parameter& parameter);
  /// What a product takes for a parameter or a tensor: itself, or a 16-bit copy, made once for all
  /// products that use it.  For tensors that one operation writes, as in the forward pass.
  Element operand_element() const { return parameters_.operands(); }
  Tensor operand(const Parameter& parameter);
  Tensor operand(const Tensor& tensor);
  /// The same for a tensor that may change later, as gradients do; made anew each time.
  Tensor narrowed(const Tensor& tensor);
  /// Whether a rule has to add to the parameter's gradient: it is not frozen.
  bool trains(const Parameter& parameter) const { return parameters_.trains(parameter); }
  /// A parameter's gradient; rules always add to it, Adam sets it back to zero.
  Tensor parameter_gradient(const Parameter& parameter);

  /// Leaves a gradient rule; does nothing in inference.
  void tape(std::function<void()> rule);
  /// The gradient that later operations left for `tensor`, or nothing if none used it.
  std::optional<Tensor> gradient(const Tensor& tensor) const;
  GradientTarget gradient_target(const Tensor& tensor);
  /// Lets the backward pass of an operation by itself begin at `dy`, the gradient of its result.
  void seed_gradient(const Tensor& result, const Tensor& dy);
  /// Appends all backward launches.
  void derive_backward();

  /// Calls `watcher` for every attention that is appended from now on, right behind it.
  void on_attention(std::function<void(const AttentionRecord&)> watcher) {
    watcher_ = std::move(watcher);
  }
  void record_attention(const AttentionRecord& seen) const {
    if (watcher_) watcher_(seen);
  }

  /// A number of its own for each dropout site, so that no two draw the same masks.
  std::uint32_t next_site() { return next_site_++; }

 private:
  Tensor cached(std::unordered_map<std::uint32_t, Tensor>& cache, const Parameter& parameter,
                Parameters::Buffer buffer);

  Program& program_;
  Parameters& parameters_;
  Mode mode_;
  std::optional<Tensor> step_scalars_;
  std::unordered_map<std::uint32_t, Tensor> values_;
  std::unordered_map<std::uint32_t, Tensor> parameter_operands_;
  std::unordered_map<std::uint32_t, Tensor> operands_;  // by tensor id
  std::unordered_map<std::uint32_t, Tensor> parameter_gradients_;
  std::unordered_map<std::uint32_t, Tensor> gradients_;  // by tensor id
  std::vector<std::function<void()>> tape_;
  std::function<void(const AttentionRecord&)> watcher_;
  std::uint32_t next_site_ = 1;
};

}  // namespace awend::nn
