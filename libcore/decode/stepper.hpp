// A model, or several, on a device, ready to decode step by step: an encoder program, a step
// program, and their caches.  Each is recorded once and replayed for whatever sentences are in
// work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/ensemble.hpp"
#include "decode/step_machine.hpp"
#include "decode/token_choice.hpp"

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

struct StepperSettings {
  std::optional<SamplingSettings> sampling = std::nullopt;  ///< Draws; else the best tokens.
  Shortlist shortlist{{}, {}};                              ///< What may be said.
  vulkan::Timing timing = vulkan::Timing::kOff;             ///< Of each launch of the programs.
};

class Stepper : public StepMachine {
 public:
  /// Decodes with the parameters as they are at each call; they may be in training.  The models
  /// must outlive the stepper.
  Stepper(nn::Engine& engine, const Ensemble& ensemble, const StepperCapacity& capacity,
          const StepperSettings& settings = {});

  const StepperCapacity& capacity() const { return capacity_; }
  const nn::Program& encoder() const { return encoder_; }
  const nn::Program& decoder() const { return decoder_; }

  void encode(std::span<const model::SourceSentence> sentences) override;
  std::span<const Candidate> step(const Step& step) override;

 private:
  void record_encoders(const Ensemble& ensemble, vulkan::Timing timing);
  void record_decoders(const Ensemble& ensemble, vulkan::Timing timing);

  StepperCapacity capacity_;
  std::vector<std::unique_ptr<model::StepDecoding>> models_;   // all use the same cache rows
  std::vector<std::unique_ptr<ShortProjection>> projections_;  // of a shortlist
  nn::Program encoder_;
  nn::Program decoder_;
  nn::Count rows_;
  TokenChoice choice_;
};

}  // namespace awend::decode
