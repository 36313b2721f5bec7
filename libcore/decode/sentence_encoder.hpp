// Runs an encoder-only model over lines: predictions for some of their tokens, vectors, and the
// ends of spans.
//
// Lines are packed into batches of one capacity, so that the result of a line does not depend on
// the lines next to it.  Test: tests/properties/bert_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "data/labeled_text.hpp"
#include "decode/layer_mix.hpp"
#include "decode/step_model.hpp"
#include "model/encoder.hpp"
#include "nn/decoding.hpp"

namespace awend::decode {

/// Which vector represents a line: the mean of the outputs for its tokens, special ones included,
/// or the output for its first token, [CLS].
enum class LineVector { kNone, kMean, kFirst };

struct EncoderSettings {
  std::uint32_t batch_tokens = 4096;  ///< Raised to the longest line of the model.
  std::uint32_t candidates = 0;       ///< Classes of each prediction, best first.
  LineVector vector = LineVector::kNone;
  /// The vector of a line is a mix of all layers; none: that of `vector`.
  std::optional<LayerMix> mix = std::nullopt;
  enum class Pairs { kIgnore, kClassify } pairs = Pairs::kIgnore;
  enum class Spans { kIgnore, kScore } spans = Spans::kIgnore;
};

struct EncodedLine {
  std::vector<Candidate> candidates;  ///< (predictions, candidates); an id may be kNoToken.
  std::vector<float> vector;          ///< (d_model), if requested.
  std::vector<float> span_ends;  ///< (tokens, 2): logits as the first and the last, if requested.
  double follows = 0;            ///< ln p that the second segment follows the first, if requested.
};

class SentenceEncoder {
 public:
  /// Compiles the model.  Model and engine must outlive the object.  Throws Error if a limit of
  /// the device does not allow the settings.
  SentenceEncoder(nn::Engine& engine, const model::EncoderView& model,
                  const EncoderSettings& settings);
  ~SentenceEncoder();

  /// The most tokens of a line, special ones included.
  std::uint32_t longest() const { return longest_; }
  /// Encodes lines; the result is in their order.  Computes with the parameters as they are.
  /// Requires: no line is longer than longest().
  std::vector<EncodedLine> encode(std::span<const data::EncoderLine> lines);

 private:
  void append(const model::Encoder& model);
  void append_layers(std::span<const nn::Tensor> layers);
  /// The lines from `begin` that fit a batch.
  std::size_t end_of_batch(std::span<const data::EncoderLine> lines, std::size_t begin) const;
  void run(std::span<const data::EncoderLine> lines, std::vector<EncodedLine>& encoded);
  void append_span_ends();
  std::vector<float> span_ends_of(const batch::RowRange& rows) const;
  std::vector<float> vector_of(batch::RowRange rows) const;
  std::vector<float> mixed_vector_of(std::span<const std::uint32_t> ids, std::size_t first) const;

  EncoderSettings settings_;
  std::uint32_t longest_;
  std::uint32_t rows_, predictions_;  // of a batch, at most
  nn::Program program_;
  std::unique_ptr<nn::Graph> graph_;
  std::unique_ptr<model::BatchEncoding> model_;
  std::optional<nn::Tensor> output_;  // (rows, d_model), if a vector is requested
  struct Layer {
    float weight;
    nn::Tensor output;  // (rows, d_model)
  };
  std::vector<Layer> layers_;            // those that have a weight, if a mix is requested
  std::optional<nn::Tensor> span_ends_;  // (rows, 2 and padding), if they are requested
  std::optional<nn::Tensor> no_constraint_, no_pair_constraint_;
  std::optional<nn::TopK> best_, pairs_;
  batch::PackedBatch batch_;
};

}  // namespace awend::decode
