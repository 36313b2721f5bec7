// The weights of a recurrent network.
#include "model/weight_layout.hpp"

namespace awend::model {
namespace {

/// Where weights are appended: a layer, or a side outside of its layers.
class Place {
 public:
  Place(std::vector<WeightShape>& weights, std::string side,
        std::optional<std::uint32_t> layer = {})
      : weights_(weights), side_(std::move(side)), layer_(layer) {}

  void add(const std::string& part, std::uint32_t rows, std::uint32_t columns) {
    weights_.push_back({side_, layer_, part, rows, columns});
  }

 private:
  std::vector<WeightShape>& weights_;
  std::string side_;
  std::optional<std::uint32_t> layer_;
};

/// Appends the weights of a recurrent network.
class RnnPlaces {
 public:
  RnnPlaces(const Config& config, std::vector<WeightShape>& weights)
      : config_(config),
        rnn_(config.rnn),
        weights_(weights),
        gates_(nn::gates_of(config.rnn.cell) * config.d_model) {}

  void add_all() {
    add_tables();
    std::uint32_t inputs = rnn_.d_embedding;
    for (std::uint32_t i = 0; i < config_.encoder_layers; ++i) {
      const bool both = rnn_.bidirectional == Bidirectional::kAll ||
                        (rnn_.bidirectional == Bidirectional::kFirst && i == 0);
      Place layer(weights_, "encoder", i);
      add_cells(layer, "", inputs);
      if (both) add_cells(layer, "reverse.", inputs);
      inputs = (both ? 2 : 1) * config_.d_model;
    }
    add_bridge(rnn_.bridge == Bridge::kReverse ? config_.d_model : inputs);
    const std::uint32_t context = feeds_context() ? config_.d_model : inputs;
    add_decoder(context);
    add_attention(inputs);
    if (has_readout(config_)) add_readout(context);
  }

 private:
  bool feeds_context() const { return rnn_.context_feeding == Switch::kOn; }
  /// Whether the context or summary is an input of each layer.
  bool has_context() const { return rnn_.attention == RnnAttention::kAdditive || feeds_context(); }
  void add_bridge(std::uint32_t inputs) {
    Place place(weights_, "");
    if (feeds_context()) {
      place.add("summary", inputs, config_.d_model);
      place.add("summary_bias", 1, config_.d_model);
      inputs = config_.d_model;
    }
    if (rnn_.bridge == Bridge::kCopy) return;
    place.add("bridge", inputs, config_.d_model);
    place.add("bridge_bias", 1, config_.d_model);
  }
  void add_tables() {
    Place place(weights_, "");
    if (ties_embeddings(rnn_.tie)) {
      place.add("embedding", config_.vocabulary, rnn_.d_embedding);
    } else {
      place.add("source_embedding", source_vocabulary_of(config_), rnn_.d_embedding);
      place.add("target_embedding", config_.vocabulary, rnn_.d_embedding);
    }
    if (ties_projection(rnn_.tie)) {
      place.add("output_bias", config_.vocabulary, 1);
    } else {
      place.add("projection", config_.vocabulary, readout_columns(config_) + 4);
    }
  }
  void add_cells(Place& place, const std::string& part, std::uint32_t inputs) {
    place.add(part + "input", inputs, gates_);
    place.add(part + "input_bias", 1, gates_);
    add_hidden(place, part);
  }
  void add_hidden(Place& place, const std::string& part) {
    place.add(part + "hidden", config_.d_model, gates_);
    place.add(part + "hidden_bias", 1, gates_);
  }
  void add_decoder(std::uint32_t context) {
    for (std::uint32_t i = 0; i < config_.decoder_layers; ++i) {
      Place layer(weights_, "decoder", i);
      add_cells(layer, "", i == 0 ? rnn_.d_embedding : config_.d_model);
      if (has_context()) layer.add("context", context, gates_);
    }
    Place first(weights_, "decoder", 0);
    if (rnn_.conditional_cell == Switch::kOn) add_hidden(first, "second.");
    if (rnn_.input_feeding == Switch::kOn) first.add("feed", config_.d_model, gates_);
  }
  void add_attention(std::uint32_t memory) {
    Place attention(weights_, "attention");
    const std::uint32_t size = config_.d_model;
    if (rnn_.attention == RnnAttention::kAdditive) {
      attention.add("query", size, rnn_.d_attention);
      attention.add("key", memory, rnn_.d_attention);
      attention.add("key_bias", 1, rnn_.d_attention);
      attention.add("vector", 1, rnn_.d_attention);
    } else if (rnn_.attention == RnnAttention::kGeneral) {
      attention.add("key", memory, size);
    }
    if (rnn_.attention_span == AttentionSpan::kPredictive) {
      attention.add("center", size, size);
      attention.add("center_vector", 1, size);
    }
  }
  void add_readout(std::uint32_t context) {
    Place readout(weights_, "readout");
    const std::uint32_t columns =
        readout_columns(config_) * (rnn_.readout == Readout::kMaxout ? 2 : 1);
    if (has_context()) readout.add("embedding", rnn_.d_embedding, columns);
    readout.add("state", config_.d_model, columns);
    readout.add("context", context, columns);
    readout.add("bias", 1, columns);
  }

  const Config& config_;
  const RnnConfig& rnn_;
  std::vector<WeightShape>& weights_;
  std::uint32_t gates_;
};

}  // namespace

std::vector<WeightShape> rnn_weights(const Config& config) {
  validate(config);
  std::vector<WeightShape> weights;
  RnnPlaces(config, weights).add_all();
  return weights;
}

}  // namespace awend::model
