// The end of a step: selects candidates from the logits of all tokens.
//
// Constraints are written to the device before each step, and only the candidates are read back.
// Test: tests/properties/translation_test.cpp, tests/kernels/decoding_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/shortlist.hpp"
#include "decode/step_model.hpp"
#include "nn/decoding.hpp"

namespace awend::decode {

class TokenSelector {
 public:
  struct Settings {
    std::uint32_t candidates;                  ///< Of each row.
    std::uint32_t adjustments;                 ///< The most of a step; 0: none.
    std::optional<SamplingSettings> sampling;  ///< If set, there is one candidate.
    Shortlist shortlist;                       ///< The tokens of the logits.
  };
  /// Declares its inputs of a step of `rows`.  `program` must outlive the object.
  TokenSelector(nn::Program& program, const nn::Count& rows, const Settings& settings);

  /// Appends the selection from `logits`.
  void append(const nn::Logits& logits);

  /// Writes the requests of a step; call before each replay.
  void write(const Step& step);
  /// The candidates of each of the step's first `rows` rows, until the next call.
  std::span<const Candidate> read(std::uint32_t rows);

 private:
  void write_adjustments(const Step& step);

  nn::Program& program_;
  Settings settings_;
  nn::TokenConstraints constraints_;
  nn::Tensor random_keys_{};
  nn::TopK best_{};
  std::vector<Candidate> candidates_;
};

}  // namespace awend::decode
