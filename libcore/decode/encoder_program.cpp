#include "decode/encoder_program.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "decode/attention_maps.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/shader_types.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kPairClasses = 2;

void require_finite(std::span<const float> values, std::string_view what) {
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
    base::fail("the model's ", what, " are not finite numbers");
}

}  // namespace

EncoderProgram::EncoderProgram(nn::Engine& engine, const model::EncoderView& model,
                               const EncoderSettings& settings, const EncoderCapacity& capacity)
    : settings_(settings),
      program_(engine),
      graph_(std::make_unique<nn::Graph>(program_, *model.parameters, nn::Mode::kInference)),
      model_(model.encoder->declare_encoding(*graph_, {.rows = capacity.rows,
                                                       .predictions = capacity.predictions,
                                                       .attention = settings.attention})),
      config_(model.encoder->config()) {
  append(*model.encoder);
  program_.compile();
}

EncoderProgram::~EncoderProgram() = default;

void EncoderProgram::append(const model::Encoder& model) {
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

void EncoderProgram::append_layers(std::span<const nn::Tensor> layers) {
  const auto& weights = settings_.mix->weights;
  base::check(weights.size() == layers.size(), "each layer has a weight");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (weights[i] == 0) continue;
    const auto output = program_.output(layers[i].rows, layers[i].columns);
    nn::move_rows(program_, {.x = layers[i], .y = output, .rows = layers[i].rows});
    layers_.push_back({weights[i], output});
  }
}

void EncoderProgram::append_span_ends() {
  const auto logits = model_->span_ends();
  base::check(logits.has_value(), "the model predicts spans");
  const nn::Tensor& values = logits->values;
  span_ends_ = program_.output(values.rows, values.columns);
  nn::move_rows(program_, {.x = values, .y = *span_ends_, .rows = values.rows});
}

std::vector<float> EncoderProgram::span_ends_of(const batch::RowRange& rows) const {
  const auto values = program_.host<float>(*span_ends_);
  const std::size_t columns = span_ends_->columns;
  std::vector<float> ends;
  for (std::size_t row = rows.begin; row < rows.end; ++row)
    ends.insert(ends.end(), {values[row * columns], values[row * columns + 1]});
  return ends;
}

std::vector<float> EncoderProgram::vector_of(batch::RowRange rows) const {
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

std::vector<float> EncoderProgram::mixed_vector_of(std::span<const std::uint32_t> ids,
                                                   std::size_t first) const {
  std::vector<WeightedLayer> layers;
  for (const auto& [weight, output] : layers_) {
    const std::size_t columns = output.columns;
    const std::span<const float> values = program_.host<float>(output);
    layers.push_back({weight, values.subspan(first * columns, ids.size() * columns)});
  }
  return mixed_vector(*settings_.mix, layers, ids);
}

std::vector<EncodedLine> EncoderProgram::encode(std::span<const data::EncoderLine> lines) {
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
  std::vector<EncodedLine> encoded;
  encoded.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) encoded.push_back(line_of(i, lines[i]));
  return encoded;
}

/// The results of a line of the batch.
EncodedLine EncoderProgram::line_of(std::size_t number, const data::EncoderLine& line) const {
  EncodedLine encoded;
  const batch::RowRange rows{batch_.source.begins[number], batch_.source.begins[number + 1]};
  if (output_) encoded.vector = vector_of(rows);
  if (settings_.mix) encoded.vector = mixed_vector_of(line.ids, rows.begin);
  if (span_ends_) encoded.span_ends = span_ends_of(rows);
  if (settings_.attention == EncoderSettings::Attention::kRecorded) {
    encoded.attention = attention_maps(program_, model_->attentions(),
                                       {.config = config_,
                                        .kind = model::AttentionOutput::Kind::kEncoder,
                                        .rows = rows.end - rows.begin,
                                        .columns = rows.end - rows.begin,
                                        .first_row = rows.begin});
  }
  require_finite(encoded.vector, "vectors");
  require_finite(encoded.span_ends, "scores");
  if (best_) {
    const auto ids = program_.host<std::uint32_t>(best_->ids);
    const auto log_probabilities = program_.host<float>(best_->log_probabilities);
    const std::size_t k = best_->ids.columns;
    const auto& begins = batch_.target.begins;
    for (auto at = begins[number] * k; at < begins[number + 1] * k; ++at) {
      const bool is_best = at % k == 0;
      if (is_best && (ids[at] == NO_TOKEN || !std::isfinite(log_probabilities[at])))
        base::fail("the model's probabilities are not finite numbers");
      encoded.candidates.push_back(
          {ids[at] == NO_TOKEN ? batch::kNoToken : ids[at], log_probabilities[at]});
    }
  }
  if (!pairs_) return encoded;
  const auto ids = program_.host<std::uint32_t>(pairs_->ids);
  const auto log_probabilities = program_.host<float>(pairs_->log_probabilities);
  const auto place = kPairClasses * number + (ids[kPairClasses * number] == 0 ? 0 : 1);
  encoded.follows = log_probabilities[place];
  return encoded;
}

}  // namespace awend::decode
