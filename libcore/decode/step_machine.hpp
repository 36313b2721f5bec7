// What a search needs of a model: sentences go in, and step by step the best next tokens of many
// hypotheses come out.
//
// The device's is decode/stepper.hpp; tests have one that checks what it is asked.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/batch.hpp"
#include "decode/rules.hpp"
#include "decode/search.hpp"

namespace awend::decode {

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A sentence that comes in.
struct Source {
  std::span<const std::uint32_t> ids;  ///< End of sentence included.
  std::uint32_t first_row;             ///< Where its rows of the cross-attention cache begin.
};

/// One hypothesis that is to be continued.
struct StepRow {
  std::uint32_t last_id;  ///< data::kNoToken before the first token.
  Range source;           ///< Its sentence's rows of the cross-attention cache.
  Range past;             ///< Of Step::cache_rows: its tokens, the last one's new row included.
  std::uint32_t forced_id = data::kNoToken;  ///< The only token that may come next, or kNoToken.
  Range adjustments{};                       ///< Of Step::adjustments; none if a token is forced.
  std::array<std::uint32_t, 2> draw{};       ///< Where tokens are drawn: the key of its chance.
};

/// Hypotheses of any sentences and of any ages.
struct Step {
  std::vector<StepRow> rows;
  std::vector<std::uint32_t> cache_rows;  ///< Of the self-attention cache.
  std::vector<Adjustment> adjustments;
};

class StepMachine {
 public:
  virtual ~StepMachine() = default;
  virtual void encode(std::span<const Source> sentences) = 0;
  /// The candidates of each row, SearchSettings::candidates() of them, until the next call.
  virtual std::span<const Candidate> step(const Step& step) = 0;
};

}  // namespace awend::decode
