// The interface of an encoder–decoder: all that search, forced scoring and inspection know of a
// model.
//
// Its forward pass has two forms: with a given target, all positions at once (TeacherForcing), and
// token by token for a search (StepDecoding).  What it keeps on the device between steps is the
// architecture's own decision.  Test: tests/unit/model/architectures_test.cpp, tests/properties,
// tests/learn.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/step_decoding.hpp"
#include "model/teacher_forcing.hpp"
#include "store/attention_file.hpp"

namespace awend::model {

class Seq2Seq : public Model {
 public:
  const Seq2Seq* as_seq2seq() const final { return this; }
  /// The matrix whose product with a decoder output gives logits, (vocabulary, d_model).
  virtual const nn::Parameter& projection() const = 0;
  /// The vector that is added to the logits, (vocabulary, 1), if there is one.
  virtual std::optional<nn::Parameter> output_bias() const { return std::nullopt; }
  nn::OutputLayer output_layer() const {
    return {.table = projection(),
            .bias = output_bias(),
            .masked_ids = config().transformer.masked_ids};
  }

  /// Declares the inputs of batches in `graph`, which must outlive the result, as must the model.
  virtual std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                         const BatchSettings& settings) const = 0;
  std::unique_ptr<BatchLoss> declare_loss(nn::Graph& graph,
                                          const BatchSettings& settings) const final {
    return declare_inputs(graph, settings);
  }
  /// Allocates the memory of step decoding.  The model must outlive the result.
  virtual std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                                   const StepCapacity& capacity) const = 0;

  /// Layers and heads of the attentions that TeacherForcing records.
  virtual store::AttentionLayout attention_layout() const = 0;
  /// Whether attention weights are probabilities with these parameters.
  virtual bool has_probabilities(const nn::Parameters& /*parameters*/) const { return true; }
  /// The sentences of `source`, without its end, to which the decoder attends, as ranges of tokens;
  /// nullopt if it attends to tokens.  An empty range at the end receives the rest of the weights.
  virtual std::optional<std::vector<batch::RowRange>> attended_sentences(
      std::span<const std::uint32_t> /*source*/) const {
    return std::nullopt;
  }
  /// The question of `source`, without its end, if the decoder attends to sentences.
  virtual batch::RowRange question(std::span<const std::uint32_t> /*source*/) const { return {}; }
  /// The number of tokens of each output, after which its end follows with probability 1; nullopt
  /// if the end is predicted like a token.
  virtual std::optional<std::uint32_t> output_length() const { return std::nullopt; }
  /// The needs and limits of step decoding on a device, without the weights.
  virtual DecodingFootprint footprint(const nn::Engine& engine) const = 0;

 protected:
  using Model::Model;
};

/// An encoder–decoder and its parameters, owned by others.
struct Seq2SeqView {
  nn::Parameters* parameters;
  const Seq2Seq* seq2seq;

  /// That of the model, with the bytes of its weights.
  DecodingFootprint footprint(const nn::Engine& engine) const {
    auto footprint = seq2seq->footprint(engine);
    footprint.weight_bytes = parameters->stored_bytes() + parameters->flat_floats() * sizeof(float);
    return footprint;
  }
  operator ModelView() const { return {parameters, seq2seq}; }  // NOLINT: a view of the same model
};

}  // namespace awend::model
