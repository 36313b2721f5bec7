// The interface of an encoder-only model: what the encoding of lines knows of it.
//
// A sentence of a batch consists of one or two segments.  The model predicts classes for some of
// its rows: tokens for masked ones, one label for the first row, or a label for each; or which rows
// are the first and the last one of a span.  A pre-trained model may also classify whole sentences:
// 0 if the second segment follows the first one in a text, otherwise 1.  Test:
// tests/properties/bert_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/batch_loss.hpp"
#include "model/model.hpp"
#include "nn/logits.hpp"

namespace awend::model {

/// The largest batch.
struct EncodingSettings {
  std::uint32_t rows;
  std::uint32_t predictions;
  BatchSettings::Attention attention = BatchSettings::Attention::kNone;
};

/// The model over packed batches without a loss, in one graph.  The methods that append to it come
/// in this order; then write() comes before each replay.
class BatchEncoding {
 public:
  virtual ~BatchEncoding() = default;

  /// Appends the encoder.  Returns the output of its last layer, (rows, d_model).
  virtual nn::Tensor encode() = 0;
  /// The same, and returns the normalized embeddings and the outputs of all layers.
  virtual std::vector<nn::Tensor> encode_layers() = 0;
  /// Appends the logits of the classes for PackedBatch::target.source_rows.
  virtual nn::Logits predict() = 0;
  /// Appends the logits of the two classes of sentences, if the model has them: (B, 2).
  virtual std::optional<nn::Logits> classify_sentences() = 0;
  /// Appends the logits of each row as the first and the last one of a span, if the model has them:
  /// (rows, 2).
  virtual std::optional<nn::Logits> span_ends() = 0;
  /// With Attention::kRecorded: the attentions by layer, first to last.
  virtual const std::vector<AttentionOutput>& attentions() const = 0;

  /// Writes the inputs and counts of a batch.  Throws Error if it is larger than the settings
  /// allow.  Requires: compiled.
  virtual void write(const batch::PackedBatch& batch) = 0;
};

class Encoder : public Model {
 public:
  const Encoder* as_encoder() const final { return this; }

  /// Declares the inputs of batches in `graph`, which must outlive the result, as must the model.
  virtual std::unique_ptr<BatchEncoding> declare_encoding(
      nn::Graph& graph, const EncodingSettings& settings) const = 0;
  /// Tokens, labels, or the two ends of spans.
  virtual std::uint32_t classes() const = 0;

 protected:
  using Model::Model;
};

/// An encoder-only model and its parameters, owned by others.
struct EncoderView {
  nn::Parameters* parameters;
  const Encoder* encoder;

  operator ModelView() const { return {parameters, encoder}; }  // NOLINT: a view of the same model
};

}  // namespace awend::model
