// The attention weights of one sentence of a pass, as maps.  Test: tests/cli/encode.sh,
// tests/cli/translate_given.sh.
#pragma once

#include <span>

#include "model/batch_loss.hpp"
#include "model/config.hpp"
#include "nn/program.hpp"
#include "store/attention_file.hpp"

namespace awend::decode {

struct MapsShape {
  const model::Config& config;
  model::AttentionOutput::Kind kind;
  std::uint32_t rows, columns;
  /// kSentencesAndRest: the last column is what the others leave of 1.
  enum class Columns { kTokens, kSentences, kSentencesAndRest } unit = Columns::kTokens;
  std::uint32_t first_row = 0;  ///< The row of the batch where the sentence begins.
};

/// All layers of one kind of attention, of which the program has computed the weights.
store::AttentionMaps attention_maps(const nn::Program& program,
                                    std::span<const model::AttentionOutput> attentions,
                                    const MapsShape& shape);

}  // namespace awend::decode
