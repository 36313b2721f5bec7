#include "model/weight_layout.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::model {
namespace {

using Weights = std::vector<WeightShape>;

struct LayoutRow {
  std::string_view architecture;
  WeightLayout layout;
};
constexpr LayoutRow kLayouts[] = {{"transformer", WeightLayout::kTransformer},
                                  {"rnn", WeightLayout::kRnn},
                                  {"bert", WeightLayout::kBert}};

/// Appends the weights of one layer, or of a side outside of its layers.
class Place {
 public:
  Place(Weights& weights, std::string side, std::optional<std::uint32_t> layer = {})
      : weights_(weights), side_(std::move(side)), layer_(layer) {}

  void add(const std::string& part, std::uint32_t rows, std::uint32_t columns) {
    weights_.push_back({side_, layer_, part, rows, columns});
  }
  void add_norm(const Config& config, const std::string& part) {
    add(part + ".gain", 1, config.d_model);
    if (config.transformer.norm_kind == NormKind::kLayer) add(part + ".bias", 1, config.d_model);
  }
  void add_attention(const Config& config, const std::string& part) {
    const auto& transformer = config.transformer;
    const auto projection = [&](const char* name, std::uint32_t rows, std::uint32_t columns) {
      add(part + "." + name, rows, columns);
      if (transformer.attention_bias == Switch::kOn) add(part + "." + name + "_bias", 1, columns);
    };
    projection("query", config.d_model, transformer.heads * transformer.d_k);
    projection("key", config.d_model, transformer.heads * transformer.d_k);
    projection("value", config.d_model, transformer.heads * transformer.d_v);
    projection("output", transformer.heads * transformer.d_v, config.d_model);
    add_norm(config, part + "_norm");
  }
  void add_ssru(const Config& config) {
    add("ssru.input", config.d_model, config.d_model);
    add("ssru.forget", config.d_model, config.d_model);
    add("ssru.forget_bias", 1, config.d_model);
    if (config.transformer.ssru_projection == Switch::kOn) {
      add("ssru.output", config.d_model, config.d_model);
      add("ssru.output_bias", 1, config.d_model);
    }
    add_norm(config, "ssru_norm");
  }
  void add_feed_forward(const Config& config) {
    const auto& transformer = config.transformer;
    const bool has_bias = transformer.feed_forward_bias == Switch::kOn;
    const auto matrix = [&](const std::string& name, std::uint32_t rows, std::uint32_t columns) {
      add("feed_forward." + name, rows, columns);
      if (has_bias) add("feed_forward." + name + "_bias", 1, columns);
    };
    if (transformer.feed_forward == FeedForwardKind::kGated)
      matrix("gate", config.d_model, transformer.d_ff);
    matrix("inner", config.d_model, transformer.d_ff);
    matrix("outer", transformer.d_ff, config.d_model);
    add_norm(config, "feed_forward_norm");
  }

 private:
  Weights& weights_;
  std::string side_;
  std::optional<std::uint32_t> layer_;
};

void add_embeddings(const Config& config, Place place) {
  if (ties_embeddings(config.transformer.tie)) {
    place.add("embedding", config.vocabulary, config.d_model);
  } else {
    place.add("source_embedding", source_vocabulary_of(config), config.d_model);
    place.add("target_embedding", config.vocabulary, config.d_model);
  }
  if (!ties_projection(config.transformer.tie))
    place.add("projection", config.vocabulary, config.d_model);
  if (has_relative_positions(config)) {
    const std::uint32_t buckets = config.transformer.relative_buckets;
    const Config decoder = decoder_side(config);
    place.add("source_relative_positions", buckets * config.transformer.heads, 1);
    place.add("target_relative_positions", buckets * decoder.transformer.heads, 1);
  }
  if (!has_position_table(config)) return;
  place.add("source_positions", config.max_positions, config.d_model);
  place.add("target_positions", config.max_positions, config.d_model);
}

void add_estimator(const Config& config, Place place) {
  place.add("mix", config.encoder_layers + 1, 1);
  std::size_t number = 0;
  for (const auto& layer : estimator_layers(config)) {
    const auto name = base::concat("estimator.", number++);
    place.add(name, layer.inputs * layer.outputs, 1);
    place.add(name + "_bias", layer.outputs, 1);
  }
}

/// The weights of BERT's heads, which depend on what it is trained for.
void add_bert_heads(const Config& config, Place place) {
  const auto& bert = config.bert;
  if (bert.metric.kind != MetricKind::kNone) return add_estimator(config, place);
  const auto add_dense = [&](const std::string& name) {
    place.add(name, config.d_model, config.d_model);
    place.add(name + "_bias", 1, config.d_model);
  };
  const auto add_classifier = [&](const std::string& name, std::size_t classes) {
    place.add(name, static_cast<std::uint32_t>(classes), config.d_model);
    place.add(name + "_bias", static_cast<std::uint32_t>(classes), 1);
  };
  const bool is_pretrained = bert.task == Task::kPretrain,
             has_pairs = is_pretrained && bert.next_sentence == Switch::kOn;
  if (is_pretrained) {
    add_dense("masked.dense");
    place.add_norm(config, "masked.norm");
    place.add("masked.bias", config.vocabulary, 1);
  }
  if (has_pairs || bert.task == Task::kClassify) add_dense("pooler.dense");
  if (has_pairs) add_classifier("next_sentence", 2);
  if (bert.task == Task::kSpans) add_classifier("span", 2);
  if (bert.task == Task::kClassify || bert.task == Task::kTag)
    add_classifier("classifier", bert.labels.size());
}

}  // namespace

std::vector<EstimatorLayer> estimator_layers(const Config& config) {
  constexpr std::uint32_t kReferenceFeatures = 6, kSourceFeatures = 4;
  const auto& metric = config.bert.metric;
  std::uint32_t inputs = config.d_model;
  if (metric.kind == MetricKind::kReference) inputs *= kReferenceFeatures;
  if (metric.kind == MetricKind::kSource) inputs *= kSourceFeatures;
  std::vector<EstimatorLayer> layers;
  for (const auto size : metric.hidden) {
    layers.push_back({inputs, size});
    inputs = size;
  }
  layers.push_back({inputs, 1});
  return layers;
}

std::string WeightShape::name() const {
  if (side.empty()) return part;
  return layer ? base::concat(side, ".", *layer, ".", part) : base::concat(side, ".", part);
}

bool has_final_norm(const Config& config, FinalNorm side) {
  const auto& transformer = config.transformer;
  if (transformer.final_norm == FinalNorm::kAuto) return transformer.norm == Norm::kPre;
  return transformer.final_norm == FinalNorm::kBoth || transformer.final_norm == side;
}

std::vector<WeightShape> transformer_weights(const Config& config) {
  validate(config);
  const Config decoder = decoder_side(config);
  Weights weights;
  add_embeddings(config, Place(weights, ""));
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    Place layer(weights, "encoder", i);
    layer.add_attention(config, "self");
    layer.add_feed_forward(config);
  }
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    Place layer(weights, "decoder", i);
    if (has_ssru(decoder)) {
      layer.add_ssru(decoder);
    } else {
      layer.add_attention(decoder, "self");
    }
    layer.add_attention(decoder, "cross");
    layer.add_feed_forward(decoder);
  }
  Place encoder_side(weights, "encoder"), decoder_place(weights, "decoder");
  if (config.transformer.embedding_norm == Switch::kOn) {
    encoder_side.add_norm(config, "embedding_norm");
    decoder_place.add_norm(config, "embedding_norm");
  }
  if (has_final_norm(config, FinalNorm::kEncoder)) encoder_side.add_norm(config, "norm");
  if (has_final_norm(config, FinalNorm::kDecoder)) decoder_place.add_norm(config, "norm");
  if (config.transformer.output_bias == Switch::kOn)
    Place(weights, "").add("output_bias", config.vocabulary, 1);
  return weights;
}

std::vector<WeightShape> bert_weights(const Config& config) {
  validate(config);
  Weights weights;
  Place tables(weights, "");
  tables.add("embedding", config.vocabulary, config.d_model);
  tables.add("positions", config.max_positions, config.d_model);
  tables.add("segments", config.bert.segments, config.d_model);
  Place(weights, "encoder").add_norm(config, "embedding_norm");
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    Place layer(weights, "encoder", i);
    layer.add_attention(config, "self");
    layer.add_feed_forward(config);
  }
  add_bert_heads(config, tables);
  return weights;
}

WeightLayout layout_of(std::string_view architecture) {
  const auto* found = std::ranges::find(kLayouts, architecture, &LayoutRow::architecture);
  if (found == std::end(kLayouts))
    base::fail("models of architecture ", architecture, " cannot be converted");
  return found->layout;
}

std::vector<WeightShape> weights_of(const Config& config) {
  switch (layout_of(config.architecture)) {
    case WeightLayout::kBert:
      return bert_weights(config);
    case WeightLayout::kRnn:
      return rnn_weights(config);
    default:
      return transformer_weights(config);
  }
}

}  // namespace awend::model
