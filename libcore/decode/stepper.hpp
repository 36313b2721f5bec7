// The model on a device, ready to decode step by step: an encoder program, a step program, and
// their caches.  Each is recorded once and replayed for whatever sentences are in work.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/step_machine.hpp"
#include "model/stepping.hpp"
#include "model/transformer.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

/// The most that the caches and a step hold.
struct StepperCapacity {
  std::uint32_t source_rows;      ///< Source tokens in work, ends of sentences included.
  std::uint32_t rows;             ///< Hypotheses of a step.
  std::uint32_t cache_rows;       ///< Tokens of all hypotheses, each one's past counted for itself.
  std::uint32_t longest;          ///< Tokens of one hypothesis.
  std::uint32_t candidates;       ///< Best tokens of each hypothesis.
  std::uint32_t adjustments = 0;  ///< Changed logits of a step; 0 where a search changes none.
};

/// A model whose weights are on a device.
class LoadedModel {
 public:
  /// Reads the weights.  Throws Error naming the checkpoint if it does not hold a model.
  LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);

  nn::Parameters& parameters() { return parameters_; }
  const model::Transformer& transformer() const { return transformer_; }

 private:
  nn::Parameters parameters_;
  model::Transformer transformer_;
};

class Stepper : public StepMachine {
 public:
  /// Decodes with the parameters as they are at each call; they may be in training.  Both must
  /// outlive the stepper.
  Stepper(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
          const StepperCapacity& capacity);

  const model::Config& config() const { return transformer_.config(); }
  const StepperCapacity& capacity() const { return capacity_; }

  void encode(std::span<const Source> sentences) override;
  std::span<const Candidate> step(const Step& step) override;

 private:
  nn::Demands declare_demands();
  void write_adjustments(const Step& step);

  const model::Transformer& transformer_;
  StepperCapacity capacity_;
  model::KeyValueCache cross_;
  model::KeyValueCache self_;
  nn::Program encoder_;
  nn::Program decoder_;
  model::SourceInputs source_;
  nn::Tensor source_places_;
  model::StepInputs inputs_;
  nn::Demands demands_;
  nn::TopK best_;
  std::vector<Candidate> candidates_;
};

}  // namespace awend::decode
