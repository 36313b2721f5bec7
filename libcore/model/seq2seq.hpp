// The interface of an encoder–decoder: all that training, search, forced scoring and inspection
// know of a model.
//
// A model declares its parameters and appends its forward pass to graphs, in two forms: with a
// given target, all positions at once (TeacherForcing), and token by token for a search
// (StepDecoding).  Which inputs a form has and what it keeps on the device is the architecture's
// own decision.  model/architectures.hpp creates models by name.  Test:
// tests/unit/model/architectures_test.cpp, tests/properties, tests/learn.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/config.hpp"
#include "model/step_decoding.hpp"
#include "model/teacher_forcing.hpp"
#include "nn/parameters.hpp"
#include "store/attention_file.hpp"

namespace awend::model {

class Seq2Seq {
 public:
  virtual ~Seq2Seq() = default;
  Seq2Seq(const Seq2Seq&) = delete;
  Seq2Seq& operator=(const Seq2Seq&) = delete;

  const Config& config() const { return config_; }
  /// The matrix whose product with a decoder output gives logits, (vocabulary, d_model).
  virtual const nn::Parameter& projection() const = 0;
  /// The vector that is added to the logits, (vocabulary, 1), if there is one.
  virtual std::optional<nn::Parameter> output_bias() const { return std::nullopt; }
  nn::OutputLayer output_layer() const {
    return {.table = projection(), .bias = output_bias(), .masked_ids = config_.masked_ids};
  }
  /// Whether the rows of a parameter belong to the tokens of the vocabulary.
  virtual bool is_table(const nn::Parameter& parameter) const = 0;

  /// Declares the inputs of batches in `graph`, which must outlive the result, as must the model.
  virtual std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                         const BatchSettings& settings) const = 0;
  /// Allocates the memory of step decoding.  The model must outlive the result.
  virtual std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                                   const StepCapacity& capacity) const = 0;

  /// The parameter (1, 1) that is 0 in the first phase of training, its linear start, and 1 from
  /// the end of that phase on; nullopt if training has one phase.
  virtual std::optional<nn::Parameter> linear_start() const { return std::nullopt; }

  /// Layers and heads of the attentions that TeacherForcing records.
  virtual store::AttentionLayout attention_layout() const = 0;
  /// The sentences of `source`, without its end, to which the decoder attends, as ranges of tokens;
  /// nullopt if it attends to tokens.
  virtual std::optional<std::vector<RowRange>> attended_sentences(
      std::span<const std::uint32_t> /*source*/) const {
    return std::nullopt;
  }
  /// The most tokens of a side, its end included, in teacher forcing without gradients on a device.
  virtual std::uint32_t max_tokens(const nn::Engine& engine) const = 0;
  /// The needs and limits of step decoding on a device.
  virtual DecodingFootprint footprint(const nn::Engine& engine) const = 0;

 protected:
  explicit Seq2Seq(const Config& config) : config_(config) {}

 private:
  Config config_;
};

/// A model and its parameters, owned by others.
struct ModelView {
  nn::Parameters* parameters;
  const Seq2Seq* seq2seq;
};

}  // namespace awend::model
