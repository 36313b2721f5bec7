// Recurrent models of Marian, of the type s2s.
//
// Its GRU has one bias for each gate.  Cells that end a step add that of the new state before the
// reset gate, others after it, so that it becomes the bias of the state or of the input here.
#include "base/error.hpp"
#include "interchange/marian_settings.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

class RnnReader {
 public:
  RnnReader(ForeignWeights& weights, ConvertedModel& model)
      : weights_(weights),
        model_(model),
        size_(model.config.d_model),
        embedding_(model.config.rnn.d_embedding) {}

  void read_all() {
    read_tables();
    read_cells("encoder.0.", "encoder_bi", embedding_);
    read_cells("encoder.0.reverse.", "encoder_bi_r", embedding_);
    read_cells("decoder.0.", "decoder_cell1", embedding_);
    set("decoder.0.context", gates("decoder_cell2", "W", 2 * size_));
    set("decoder.0.second.hidden", gates("decoder_cell2", "U", size_));
    set("decoder.0.second.hidden_bias", gates("decoder_cell2", "b", 1));
    set("bridge", read("decoder_ff_state_W", 2 * size_, size_));
    set("bridge_bias", read("decoder_ff_state_b", 1, size_));
    set("attention.query", read("decoder_W_comb_att", size_, 2 * size_));
    set("attention.key", read("decoder_Wc_att", 2 * size_, 2 * size_));
    set("attention.key_bias", read("decoder_b_att", 1, 2 * size_));
    set("attention.vector", read("decoder_U_att", 2 * size_, 1));
    read_readout();
  }

 private:
  void set(const std::string& name, std::vector<float> values) {
    model_.weights.emplace(name, std::move(values));
  }
  std::vector<float> read(const std::string& name, std::uint32_t rows, std::uint32_t columns) {
    return weights_.read({.name = name}, {"", std::nullopt, name, rows, columns});
  }

  /// The reset and update gates, and the new state, which have arrays of their own.
  std::vector<float> gates(const std::string& prefix, const std::string& part, std::uint32_t rows) {
    const auto both = read(prefix + "_" + part, rows, 2 * size_),
               state = read(prefix + "_" + part + "x", rows, size_);
    std::vector<float> joined;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto append = [&](const std::vector<float>& from, std::size_t columns) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * columns);
        joined.insert(joined.end(), begin, begin + static_cast<std::ptrdiff_t>(columns));
      };
      append(both, 2 * size_);
      append(state, size_);
    }
    return joined;
  }

  /// Cells that do not end a step.
  void read_cells(const std::string& name, const std::string& prefix, std::uint32_t inputs) {
    set(name + "input", gates(prefix, "W", inputs));
    set(name + "input_bias", gates(prefix, "b", 1));
    set(name + "hidden", gates(prefix, "U", size_));
    set(name + "hidden_bias", std::vector<float>(std::size_t{3} * size_));
  }

  /// The hidden layer of the output; its three products have a bias each.
  void read_readout() {
    const std::string prefix = "decoder_ff_logit_l1_";
    set("readout.embedding", read(prefix + "W0", embedding_, embedding_));
    set("readout.state", read(prefix + "W1", size_, embedding_));
    set("readout.context", read(prefix + "W2", 2 * size_, embedding_));
    auto bias = read(prefix + "b0", 1, embedding_);
    for (const char* const part : {"b1", "b2"}) {
      const auto other = read(prefix + part, 1, embedding_);
      for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += other[i];
    }
    set("readout.bias", bias);
  }

  void read_tables() {
    const auto& config = model_.config;
    if (model::ties_embeddings(config.rnn.tie)) {
      set("embedding", read("Wemb", config.vocabulary, embedding_));
    } else {
      set("source_embedding",
          read("encoder_Wemb", model::source_vocabulary_of(config), embedding_));
      set("target_embedding", read("decoder_Wemb", config.vocabulary, embedding_));
    }
    const auto bias = weights_.has("decoder_ff_logit_l2_b")
                          ? read("decoder_ff_logit_l2_b", config.vocabulary, 1)
                          : std::vector<float>(config.vocabulary);
    if (model::ties_projection(config.rnn.tie)) return set("output_bias", bias);
    // The row of an id ends in its bias and three unused numbers.
    const auto table = read_projection();
    std::vector<float> projection;
    for (std::size_t id = 0; id < config.vocabulary; ++id) {
      const auto begin = table.begin() + static_cast<std::ptrdiff_t>(id * embedding_);
      projection.insert(projection.end(), begin, begin + static_cast<std::ptrdiff_t>(embedding_));
      projection.insert(projection.end(), {bias[id], 0, 0, 0});
    }
    set("projection", projection);
  }

  /// Old versions have columns for ids.
  std::vector<float> read_projection() {
    const std::string prefix = "decoder_ff_logit_l2_W";
    const std::uint32_t ids = model_.config.vocabulary;
    if (weights_.has(prefix + "t")) return read(prefix + "t", ids, embedding_);
    return weights_.read({.name = prefix, .order = Location::Order::kTransposed},
                         {"", std::nullopt, "projection", ids, embedding_});
  }

  ForeignWeights& weights_;
  ConvertedModel& model_;
  std::uint32_t size_, embedding_;
};

}  // namespace

model::Config marian_rnn_config(ForeignSettings& settings) {
  settings.require("enc-type", {"bidirectional", "bi-unidirectional"}, "another type of encoder");
  for (const auto* const cell : {"enc-cell", "dec-cell"})
    settings.require(cell, {"gru"}, "a recurrent cell other than GRU");
  for (const auto* const depth : {"enc-depth", "dec-depth", "enc-cell-depth"})
    settings.require(depth, {"1"}, "a recurrent model with more layers or cells");
  settings.require("dec-cell-base-depth", {"2"}, "another number of cells in the decoder");
  settings.require("layer-normalization", {"false"}, "normalization in recurrent cells");
  settings.require("skip", {"false"}, "a recurrent model with skip connections");
  auto config = model::preset("bahdanau");
  read_marian_vocabulary_sizes(settings, config);
  config.d_model = settings.count("dim-rnn");
  config.rnn.d_embedding = config.rnn.d_readout = settings.count("dim-emb");
  config.rnn.d_attention = 2 * config.d_model;
  config.rnn.bridge = model::Bridge::kMean;
  config.rnn.readout = model::Readout::kTanh;
  config.rnn.conditional_cell = Switch::kOn;
  config.rnn.tie = marian_tie(settings);
  // Without it, the biases are 0.
  settings.ignore({"output-omit-bias"});
  // With one layer, there are no others.
  settings.ignore({"dec-cell-high-depth", "transformer-*"});
  return config;
}

void read_marian_rnn_weights(ForeignWeights& weights, ConvertedModel& model) {
  RnnReader(weights, model).read_all();
}

}  // namespace awend::interchange
