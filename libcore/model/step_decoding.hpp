// A model that decodes token by token, for searches.  See model/seq2seq.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "model/step_rows.hpp"
#include "nn/tensor.hpp"

namespace awend::nn {
class Graph;
}

namespace awend::model {

/// The most that a search has in flight.
struct StepCapacity {
  std::uint32_t source_rows;  ///< Source tokens, ends of sentences included.
  std::uint32_t hypotheses;
  std::uint32_t cache_rows;  ///< Tokens of all hypotheses.
  std::uint32_t max_tokens;  ///< Of one hypothesis.
};

/// A model that decodes step by step: an encoder, a step, and what it keeps on the device between
/// them.
class StepDecoding {
 public:
  virtual ~StepDecoding() = default;

  /// Appends the encoder, which stores what steps need of a source.
  virtual void append_encoder(nn::Graph& graph) = 0;
  /// Appends one step of `rows` hypotheses, which extends the cache by one token each.  Returns the
  /// output before the projection to the vocabulary, (rows, d_model).
  virtual nn::Tensor append_step(nn::Graph& graph, const nn::Count& rows) = 0;

  /// Before each replay of the encoder.
  virtual void write(std::span<const SourceSentence> sentences) = 0;
  /// Before each replay of the step; the caller sets the count of rows.
  virtual void write(const StepRows& step) = 0;
};

/// What decoding takes of a device, and its limits.
struct DecodingFootprint {
  std::uint32_t vocabulary;
  std::uint64_t source_token_bytes;  ///< Cached for each source token, and its share of the
                                     ///< encoder's activations.
  std::uint64_t target_token_bytes;  ///< Cached for each token of a hypothesis.
  std::uint64_t widest_row_bytes;    ///< Of one buffer of the caches.
  /// Of one tensor of the encoder's activations, for each source token.
  std::uint64_t widest_activation_bytes;
  std::uint32_t max_source_tokens;  ///< With the end of the sentence.
  std::uint32_t max_target_tokens;
  std::uint64_t weight_bytes = 0;  ///< Of all weights.
};

}  // namespace awend::model
