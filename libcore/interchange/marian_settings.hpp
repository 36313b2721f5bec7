// What the readers of Marian's Transformers and recurrent models have in common, and the reader of
// the latter.
#pragma once

#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"

namespace awend::interchange {

/// Refuses settings that no architecture supports, and ignores those of training.
void require_common_marian(ForeignSettings& settings);
void read_marian_vocabulary_sizes(ForeignSettings& settings, model::Config& config);
model::Tie marian_tie(ForeignSettings& settings);

/// The settings of a model of the type s2s: a bidirectional encoder, and a decoder with two cells
/// and attention between them.
model::Config marian_rnn_config(ForeignSettings& settings);
/// Reads all weights of such a model.
void read_marian_rnn_weights(ForeignWeights& weights, ConvertedModel& model);

}  // namespace awend::interchange
