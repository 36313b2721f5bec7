// One program that runs an encoder-only model over a batch of lines: predictions for some of their
// tokens, vectors, and the ends of spans.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "data/labeled_text.hpp"
#include "decode/layer_mix.hpp"
#include "decode/step_model.hpp"
#include "model/encoder.hpp"
#include "nn/decoding.hpp"
#include "store/attention_file.hpp"

namespace awend::decode {

/// Which vector represents a line: the mean of the outputs for its tokens, special ones included,
/// or the output for its first token, [CLS].
enum class LineVector { kNone, kMean, kFirst };

struct EncoderSettings {
  /// Of the batches that are encoded at once; each can have the longest line of the model.
  std::uint32_t batch_tokens = 4096;
  std::uint32_t candidates = 0;  ///< Classes of each prediction, best first.
  LineVector vector = LineVector::kNone;
  /// The vector of a line is a mix of all layers; none: that of `vector`.
  std::optional<LayerMix> mix = std::nullopt;
  enum class Pairs { kIgnore, kClassify } pairs = Pairs::kIgnore;
  enum class Spans { kIgnore, kScore } spans = Spans::kIgnore;
  using Attention = model::BatchSettings::Attention;
  Attention attention = Attention::kNone;
};

struct EncodedLine {
  std::vector<Candidate> candidates;  ///< (predictions, candidates); an id may be kNoToken.
  std::vector<float> vector;          ///< (d_model), if requested.
  std::vector<float> span_ends;  ///< (tokens, 2): logits as the first and the last, if requested.
  double follows = 0;            ///< ln p that the second segment follows the first, if requested.
  store::AttentionMaps attention;  ///< (layers, heads, tokens, tokens), if requested.
};

/// What a batch may have at most.
struct EncoderCapacity {
  std::uint32_t rows;         ///< Tokens of all lines.
  std::uint32_t predictions;  ///< Predicted tokens of all lines.
};

class EncoderProgram {
 public:
  /// Compiles the model.  Model and engine must outlive the object.  Throws Error if a limit of
  /// the device does not allow the settings.
  EncoderProgram(nn::Engine& engine, const model::EncoderView& model,
                 const EncoderSettings& settings, const EncoderCapacity& capacity);
  ~EncoderProgram();

  /// As nn::Program::use_threads().
  void use_threads(nn::Threads threads) { program_.use_threads(threads); }
  /// Encodes the lines of one batch, in their order.  Computes with the parameters as they are.
  /// Requires: the capacity is sufficient.
  std::vector<EncodedLine> encode(std::span<const data::EncoderLine> lines);

 private:
  void append(const model::Encoder& model);
  void append_layers(std::span<const nn::Tensor> layers);
  void append_span_ends();
  EncodedLine line_of(std::size_t number, const data::EncoderLine& line) const;
  std::vector<float> span_ends_of(const batch::RowRange& rows) const;
  std::vector<float> vector_of(batch::RowRange rows) const;
  std::vector<float> mixed_vector_of(std::span<const std::uint32_t> ids, std::size_t first) const;

  EncoderSettings settings_;
  nn::Program program_;
  std::unique_ptr<nn::Graph> graph_;
  std::unique_ptr<model::BatchEncoding> model_;
  const model::Config& config_;
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
