// What a search requires of a model: encode sentences, then step by step find candidates for the
// next tokens of many hypotheses.
//
// decode/device_step_model.hpp implements it on a device; tests use an implementation on the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "decode/logit_rules.hpp"
#include "decode/search.hpp"
#include "decode/shortlist.hpp"
#include "model/step_rows.hpp"

namespace awend::decode {

/// How a search restricts or samples the next token of one hypothesis.
struct TokenRequest {
  std::uint32_t forced_id = batch::kNoToken;  ///< The only token allowed next, or kNoToken.
  batch::RowRange adjustments{};              ///< Of Step::adjustments; empty if a token is forced.
  std::array<std::uint32_t, 2> random_key{};  ///< For sampling.
  /// The tokens of the sentence; null: as for all sentences.
  const Shortlist* allowed = nullptr;
};

/// Hypotheses of any sentences and lengths.
struct Step {
  std::vector<model::StepRow> rows;
  std::vector<TokenRequest> requests;     ///< One for each row.
  std::vector<std::uint32_t> cache_rows;  ///< That StepRow::past refers to.
  std::vector<Adjustment> adjustments;
};

class StepModel {
 public:
  virtual ~StepModel() = default;
  virtual void encode(std::span<const model::SourceSentence> sentences) = 0;
  /// SearchSettings::candidates() candidates for each row, valid until the next call.
  virtual std::span<const Candidate> step(const Step& step) = 0;
};

}  // namespace awend::decode
