// One or several models on a device that decode step by step: an encoder program, a step program,
// and their caches.  The programs are recorded once and replayed for all sentences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/ensemble.hpp"
#include "decode/step_model.hpp"
#include "decode/token_selector.hpp"

namespace awend::decode {

/// The capacity of the caches and of a step.
struct SearchCapacity {
  std::uint32_t source_rows;      ///< Source tokens in flight, ends of sentences included.
  std::uint32_t rows;             ///< Hypotheses of a step.
  std::uint32_t cache_rows;       ///< Tokens of all hypotheses, shared ones counted for each.
  std::uint32_t longest;          ///< Tokens of one hypothesis.
  std::uint32_t candidates;       ///< Best tokens of each hypothesis.
  std::uint32_t adjustments = 0;  ///< Changed logits of a step; 0 if no rule is active.
};

struct DeviceStepSettings {
  std::optional<SamplingSettings> sampling = std::nullopt;  ///< Samples; default: the best tokens.
  Shortlist shortlist{{}, {}};                              ///< Allowed tokens; default: all.
  /// Whether each TokenRequest has its own.
  bool has_sentence_lists = false;
  vulkan::Timing timing = vulkan::Timing::kOff;  ///< Of each launch of the programs.
  /// Of the shortlist, one for each model; they must outlive the step model.
  std::span<const std::unique_ptr<ShortProjection>> projections = {};
};

class DeviceStepModel : public StepModel {
 public:
  /// Decodes with the parameters as they are at each call, also in training.  The models must
  /// outlive the object.
  DeviceStepModel(nn::Engine& engine, const Ensemble& ensemble, const SearchCapacity& capacity,
                  const DeviceStepSettings& settings = {});

  const SearchCapacity& capacity() const { return capacity_; }
  const nn::Program& encoder() const { return encoder_; }
  const nn::Program& decoder() const { return decoder_; }

  /// As nn::Program::use_threads().
  void use_threads(nn::Threads threads);

  void encode(std::span<const model::SourceSentence> sentences) override;
  std::span<const Candidate> step(const Step& step) override;

 private:
  void record_encoders(const Ensemble& ensemble, const DeviceStepSettings& settings);
  void record_decoders(const Ensemble& ensemble, const DeviceStepSettings& settings);

  SearchCapacity capacity_;
  std::vector<std::unique_ptr<model::StepDecoding>> models_;  // all use the same cache rows
  nn::Program encoder_;
  nn::Program decoder_;
  nn::Count rows_;
  TokenSelector selector_;
};

}  // namespace awend::decode
