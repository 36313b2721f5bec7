// The interface of all models: what training, validation, averaging and inspection know of them.
//
// A model declares its parameters and appends its forward pass and loss to a graph.  Which inputs
// it has is the architecture's own decision.  model/seq2seq.hpp adds the generation of text,
// model/encoder.hpp predictions for given text; model/architectures.hpp creates models by name.
// Test: tests/unit/model/architectures_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/batch_loss.hpp"
#include "model/config.hpp"
#include "nn/parameters.hpp"

namespace awend::model {

class Encoder;
class Seq2Seq;

/// What a model for another task shares: all but the heads.  A head for labels depends on them.
enum class Part { kShared, kHead, kLabelHead };

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Config& config() const { return config_; }
  /// The same model, if it generates text.
  virtual const Seq2Seq* as_seq2seq() const { return nullptr; }
  /// The same model, if it is encoder-only.
  virtual const Encoder* as_encoder() const { return nullptr; }
  /// Whether the rows of a parameter belong to the tokens of the vocabulary.
  virtual bool is_table(const nn::Parameter& parameter) const = 0;

  /// The part of the model to which a parameter belongs.
  virtual Part part_of(std::string_view /*name*/) const { return Part::kShared; }

  /// Declares the inputs of batches in `graph`, which must outlive the result, as must the model.
  virtual std::unique_ptr<BatchLoss> declare_loss(nn::Graph& graph,
                                                  const BatchSettings& settings) const = 0;
  /// Whether declare_loss() accepts BatchSettings::guided_alignment.
  virtual bool guides_alignment() const { return false; }
  /// The most tokens of a side, its end included, without gradients on a device.
  virtual std::uint32_t max_tokens(const nn::Engine& engine) const = 0;

  /// The updates after which another phase of training begins, ascending; none if training has one
  /// phase.  The learning rate decays, and validations are compared, in the last one.
  virtual std::vector<std::uint64_t> phase_ends() const { return {}; }
  /// Changes the parameters, and their moving average, for the phase that begins; phases count from
  /// 0, and initial parameters are those of phase 0.
  virtual void begin_phase(nn::Parameters& /*parameters*/, std::size_t /*phase*/) const {}

 protected:
  explicit Model(const Config& config) : config_(config) {}

 private:
  Config config_;
};

/// A model and its parameters, owned by others.
struct ModelView {
  nn::Parameters* parameters;
  const Model* model;
};

}  // namespace awend::model
