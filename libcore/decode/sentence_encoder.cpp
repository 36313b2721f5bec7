#include "decode/sentence_encoder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/shader_types.hpp"

namespace awend::decode {
namespace {

// The logits of a batch take at most about this, or as much as one line needs.
constexpr std::uint64_t kLogitBytes = std::uint64_t{64} << 20;
constexpr std::uint32_t kPairClasses = 2;

std::uint32_t max_predictions(const model::Encoder& model, std::uint32_t rows,
                              std::uint32_t longest) {
  const std::uint64_t fit = kLogitBytes / (sizeof(float) * std::uint64_t{model.classes()});
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max<std::uint64_t>(fit, longest), rows));
}

}  // namespace

SentenceEncoder::SentenceEncoder(nn::Engine& engine, const model::EncoderView& model,
                                 const EncoderSettings& settings)
    : settings_(settings),
      longest_(model.encoder->max_tokens(engine)),
      rows_(std::max(settings.batch_tokens, longest_)),
      predictions_(max_predictions(*model.encoder, rows_, longest_)),
      program_(engine),
      graph_(std::make_unique<nn::Graph>(program_, *model.parameters, nn::Mode::kInference)),
      model_(model.encoder->declare_encoding(*graph_, {rows_, predictions_})) {
  append(*model.encoder);
  program_.compile();
}

SentenceEncoder::~SentenceEncoder() = default;

void SentenceEncoder::append(const model::Encoder& model) {
  const auto layers = model_->encode_layers();
  const nn::Tensor encoded = layers.back();
  if (settings_.mix) append_layers(layers);
  if (settings_.vector != LineVector::kNone) {
    output_ = program_.output(encoded.rows, encoded.columns);
    nn::move_rows(program_, {.x = encoded, .y = *output_, .rows = encoded.rows});
  }
  if (settings_.candidates > 0) {
    const nn::Logits logits = model_->predict();
    no_constraint_ = program_.input(logits.values.rows, 1);
    best_ = nn::top_k(program_, logits, std::min(settings_.candidates, model.classes()),
                      {.forced_id = *no_constraint_, .adjustments = std::nullopt});
  }
  if (settings_.spans == EncoderSettings::Spans::kScore) append_span_ends();
  if (settings_.pairs == EncoderSettings::Pairs::kIgnore) return;
  const auto logits = model_->classify_sentences();
  if (!logits) return;
  no_pair_constraint_ = program_.input(logits->values.rows, 1);
  pairs_ = nn::top_k(program_, *logits, kPairClasses,
                     {.forced_id = *no_pair_constraint_, .adjustments = std::nullopt});
}

void SentenceEncoder::append_layers(std::span<const nn::Tensor> layers) {
  const auto& weights = settings_.mix->weights;
  base::check(weights.size() == layers.size(), "each layer has a weight");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (weights[i] == 0) continue;
    const auto output = program_.output(layers[i].rows, layers[i].columns);
    nn::move_rows(program_, {.x = layers[i], .y = output, .rows = layers[i].rows});
    layers_.push_back({weights[i], output});
  }
}

void SentenceEncoder::append_span_ends() {
  const auto logits = model_->span_ends();
  base::check(logits.has_value(), "the model predicts spans");
  const nn::Tensor& values = logits->values;
  span_ends_ = program_.output(values.rows, values.columns);
  nn::move_rows(program_, {.x = values, .y = *span_ends_, .rows = values.rows});
}

std::vector<float> SentenceEncoder::span_ends_of(const batch::RowRange& rows) const {
  const auto values = program_.host<float>(*span_ends_);
  const std::size_t columns = span_ends_->columns;
  std::vector<float> ends;
  for (std::size_t row = rows.begin; row < rows.end; ++row)
    ends.insert(ends.end(), {values[row * columns], values[row * columns + 1]});
  return ends;
}

std::size_t SentenceEncoder::end_of_batch(std::span<const data::EncoderLine> lines,
                                          std::size_t begin) const {
  std::size_t rows = 0, predictions = 0, end = begin;
  for (; end < lines.size(); ++end) {
    rows += lines[end].ids.size();
    predictions += lines[end].predicted.size();
    if (rows > rows_ || predictions > predictions_) break;
  }
  base::check(end > begin, "a line fits in a batch");
  return end;
}

std::vector<EncodedLine> SentenceEncoder::encode(std::span<const data::EncoderLine> lines) {
  std::vector<EncodedLine> encoded;
  encoded.reserve(lines.size());
  for (std::size_t begin = 0; begin < lines.size();) {
    const auto end = end_of_batch(lines, begin);
    run(lines.subspan(begin, end - begin), encoded);
    begin = end;
  }
  return encoded;
}

std::vector<float> SentenceEncoder::vector_of(batch::RowRange rows) const {
  const auto values = program_.host<float>(*output_);
  const std::size_t columns = output_->columns;
  if (settings_.vector == LineVector::kFirst) rows.end = rows.begin + 1;
  std::vector<double> sums(columns);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      sums[column] += values[row * columns + column];
  }
  std::vector<float> vector;
  for (const double sum : sums) vector.push_back(static_cast<float>(sum / (rows.end - rows.begin)));
  return vector;
}

std::vector<float> SentenceEncoder::mixed_vector_of(std::span<const std::uint32_t> ids,
                                                    std::size_t first) const {
  std::vector<WeightedLayer> layers;
  for (const auto& [weight, output] : layers_) {
    const std::size_t columns = output.columns;
    const std::span<const float> values = program_.host<float>(output);
    layers.push_back({weight, values.subspan(first * columns, ids.size() * columns)});
  }
  return mixed_vector(*settings_.mix, layers, ids);
}

void SentenceEncoder::run(std::span<const data::EncoderLine> lines,
                          std::vector<EncodedLine>& encoded) {
  batch::clear(batch_);
  for (const auto& line : lines) {
    data::add_example({.ids = line.ids,
                       .second_segment = line.second_segment,
                       .predicted = line.predicted,
                       .answers = {}},
                      batch_);
  }
  data::finish_examples(batch_);
  for (const auto& tensor : {no_constraint_, no_pair_constraint_}) {
    if (tensor) std::ranges::fill(program_.host<std::uint32_t>(*tensor), NO_TOKEN);
  }
  model_->write(batch_);
  program_.replay();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EncodedLine& line = encoded.emplace_back();
    const batch::RowRange rows{batch_.source.begins[i], batch_.source.begins[i + 1]};
    if (output_) line.vector = vector_of(rows);
    if (settings_.mix) line.vector = mixed_vector_of(lines[i].ids, rows.begin);
    if (span_ends_) line.span_ends = span_ends_of(rows);
    if (best_) {
      const auto ids = program_.host<std::uint32_t>(best_->ids);
      const auto log_probabilities = program_.host<float>(best_->log_probabilities);
      const std::size_t k = best_->ids.columns;
      for (auto at = batch_.target.begins[i] * k; at < batch_.target.begins[i + 1] * k; ++at) {
        line.candidates.push_back(
            {ids[at] == NO_TOKEN ? batch::kNoToken : ids[at], log_probabilities[at]});
      }
    }
    if (!pairs_) continue;
    const auto ids = program_.host<std::uint32_t>(pairs_->ids);
    const auto log_probabilities = program_.host<float>(pairs_->log_probabilities);
    const auto place = kPairClasses * i + (ids[kPairClasses * i] == 0 ? 0 : 1);
    line.follows = log_probabilities[place];
  }
}

}  // namespace awend::decode
