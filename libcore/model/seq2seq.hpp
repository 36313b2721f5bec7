// The interface of an encoder–decoder: all that training, search, forced scoring and inspection
// know of a model.
//
// A model declares its parameters and appends its forward pass to graphs, in two forms: with a
// given target, all positions at once (TeacherForcing), and token by token for a search
// (StepDecoding).  Which inputs a form has and what it keeps on the device is the architecture's
// own decision.  model/architectures.hpp creates models by name.  Test:
// tests/unit/model/architectures_test.cpp, tests/properties, tests/learn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/config.hpp"
#include "model/packed_batch.hpp"
#include "nn/operations.hpp"
#include "store/attention_file.hpp"

namespace awend::model {

/// The largest batch, and what the host reads of it.
struct BatchSettings {
  std::uint32_t source_rows;
  std::uint32_t target_rows;
  enum class Loss { kTotals, kTokens } loss = Loss::kTotals;
  enum class Attention { kNone, kRecorded } attention = Attention::kNone;
};

/// Attention weights as an output: (query rows, heads · max keys).  The weights of a row and head
/// start with those of the first key of its sentence.
struct AttentionOutput {
  enum class Kind { kEncoder, kDecoder, kCross };
  Kind kind;
  std::uint32_t heads;
  std::uint32_t max_keys;
  nn::Tensor weights;
};

/// A model over packed batches with given targets, in one graph.  encode() and decode(), or loss(),
/// append it once; then write() comes before each replay.
class TeacherForcing {
 public:
  virtual ~TeacherForcing() = default;

  /// Appends the encoder.
  virtual void encode() = 0;
  /// Appends the decoder after the encoder.  Returns its output before the projection to the
  /// vocabulary, (target rows, d_model).
  virtual nn::Tensor decode() = 0;
  /// Appends encoder, decoder and loss.  In training, Graph::derive_backward() comes next.
  virtual nn::ChunkedLoss loss() = 0;
  /// The row of decode(), and of the loss of tokens, that predicts token `row` of
  /// PackedBatch::output_ids.
  virtual std::uint32_t row_of(std::uint32_t row) const = 0;
  /// With Attention::kRecorded: the attentions by layer, first to last.
  virtual const std::vector<AttentionOutput>& attentions() const = 0;

  /// Writes the inputs and counts of a batch.  Throws Error if it is larger than the settings
  /// allow.  Requires: compiled.
  virtual void write(const PackedBatch& batch) = 0;
};

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
  std::uint32_t max_source_tokens;   ///< With the end of the sentence.
  std::uint32_t max_target_tokens;
};

class Seq2Seq {
 public:
  virtual ~Seq2Seq() = default;
  Seq2Seq(const Seq2Seq&) = delete;
  Seq2Seq& operator=(const Seq2Seq&) = delete;

  const Config& config() const { return config_; }
  /// The matrix whose product with a decoder output gives logits, (vocabulary, d_model).
  virtual const nn::Parameter& projection() const = 0;
  /// Whether the rows of a parameter belong to the tokens of the vocabulary.
  virtual bool is_table(const nn::Parameter& parameter) const = 0;

  /// Declares the inputs of batches in `graph`, which must outlive the result, as must the model.
  virtual std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                         const BatchSettings& settings) const = 0;
  /// Allocates the memory of step decoding.  The model must outlive the result.
  virtual std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                                   const StepCapacity& capacity) const = 0;

  /// Layers and heads of the attentions that TeacherForcing records.
  virtual store::AttentionLayout attention_layout() const = 0;
  /// The most tokens of a side, its end included, in teacher forcing without gradients on a device.
  virtual std::uint32_t max_tokens(const nn::Engine& engine) const = 0;
  /// The needs and limits of step decoding on a device.
  virtual DecodingFootprint footprint(const nn::Engine& engine) const = 0;

 protected:
  explicit Seq2Seq(const Config& config) : config_(config) {}

 private:
  Config config_;
};

/// A model and its parameters, owned by others.
struct ModelView {
  nn::Parameters* parameters;
  const Seq2Seq* seq2seq;
};

}  // namespace awend::model
