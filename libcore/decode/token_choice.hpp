// The end of a step: of the logits of all tokens, the candidates that a search looks at.
//
// What a search asks for goes to the device with each step, and only the candidates come back.
// Test: tests/properties/translation_test.cpp, tests/kernels/decoding_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/shortlist.hpp"
#include "decode/step_machine.hpp"
#include "nn/decoding.hpp"

namespace awend::decode {

class TokenChoice {
 public:
  struct Settings {
    std::uint32_t candidates;                  ///< Of each row.
    std::uint32_t adjustments;                 ///< The most of a step; 0 where there are none.
    std::optional<SamplingSettings> sampling;  ///< Then there is one candidate.
    Shortlist shortlist;                       ///< Of whose tokens the logits are.
  };
  /// Declares its inputs of a step of `rows`.  `program` must outlive the object.
  TokenChoice(nn::Program& program, const nn::Count& rows, const Settings& settings);

  /// Appends the choice from `logits`.
  void append(const nn::Logits& logits);

  /// Before each replay.
  void write(const Step& step);
  /// The candidates of each of the step's first `rows` rows, until the next call.
  std::span<const Candidate> read(std::uint32_t rows);

 private:
  void write_adjustments(const Step& step);

  nn::Program& program_;
  Settings settings_;
  nn::TokenConstraints constraints_;
  nn::Tensor draws_{};
  nn::TopK best_{};
  std::vector<Candidate> candidates_;
};

}  // namespace awend::decode
