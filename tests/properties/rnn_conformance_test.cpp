// Recurrent networks with the weights of PyTorch's nn.GRU and nn.LSTM have its results.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "store/weights.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using nlohmann::json;

constexpr double kRounding = 1e-5;

/// A matrix of the foreign file, row-major.
struct Foreign {
  std::size_t rows, columns;
  std::vector<float> values;

  float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// The model in a directory, with its weights under awend's names.
class ForeignModel {
 public:
  explicit ForeignModel(const std::string& directory)
      : settings_(read_json(directory + "/config.json")),
        file_(directory + "/model.safetensors"),
        attends_(settings_.at("attention") == "bahdanau"),
        cases_(read_json_lines(directory + "/cases.jsonl")) {
    seq2seq_ = model::make_seq2seq(config(), parameters_);
    parameters_.allocate(engine(), nn::Use::kInference);
    load();
  }

  const std::vector<json>& cases() const { return cases_; }
  model::Seq2SeqView view() { return {&parameters_, seq2seq_.get()}; }
  std::vector<std::uint32_t> ids(const json& tokens, const char* vocabulary) const {
    std::vector<std::uint32_t> ids;
    const auto& all = settings_.at(vocabulary);
    for (const auto& token : tokens)
      ids.push_back(
          static_cast<std::uint32_t>(std::find(all.begin(), all.end(), token) - all.begin()));
    return ids;
  }

 private:
  model::Config config() const {
    model::Config made;
    made.architecture = "rnn";
    const auto size = [&](const char* name) { return settings_.at(name).get<std::uint32_t>(); };
    made.vocabulary = static_cast<std::uint32_t>(settings_.at("source_vocabulary").size());
    made.d_model = size("hidden");
    made.encoder_layers = size("encoder_layers");
    made.decoder_layers = size("decoder_layers");
    made.max_positions = 64;
    made.rnn.d_embedding = size("embedding");
    const bool is_lstm = settings_.at("cell") == "lstm";
    made.rnn.cell = is_lstm ? nn::Cell::kLstm : nn::Cell::kGru;
    if (attends_) made.rnn.d_attention = size("attention_size");
    made.rnn.attention = attends_ ? model::RnnAttention::kAdditive : model::RnnAttention::kNone;
    made.rnn.bidirectional = settings_.at("bidirectional").get<bool>()
                                 ? model::Bidirectional::kAll
                                 : model::Bidirectional::kNone;
    made.decoder_start = model::DecoderStart::kToken;
    made.start_id = 2;
    return made;
  }

  Foreign read(const std::string& name) const {
    const auto& arrays = file_.arrays();
    const auto found = std::ranges::find(arrays, name, &store::Array::name);
    REQUIRE(found != arrays.end());
    const std::size_t columns = found->shape.back();
    const auto values = store::Weights(file_, name, found->shape).read();
    return {values.size() / columns, columns, values};
  }

  void set(const std::string& name, const std::vector<float>& values) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_.name(i) != name) continue;
      parameters_.write(parameters_.parameter(i), values);
      ++set_;
      return;
    }
    FAIL("no parameter " << name);
  }
  /// The columns [first, end) of `from`, transposed.
  void set_transposed(const std::string& name, const Foreign& from, std::size_t first,
                      std::size_t end) {
    std::vector<float> values;
    for (std::size_t column = first; column < end; ++column) {
      for (std::size_t row = 0; row < from.rows; ++row) values.push_back(from.at(row, column));
    }
    set(name, values);
  }
  void set_transposed(const std::string& name, const std::string& from) {
    const Foreign matrix = read(from);
    set_transposed(name, matrix, 0, matrix.columns);
  }

  /// The cells of a layer; the first decoder layer reads the embedding, then the context.
  void set_cells(const std::string& name, const std::string& side, const std::string& suffix) {
    const Foreign input = read(side + ".weight_ih_" + suffix);
    const bool has_context = attends_ && name == "decoder.0";
    const std::size_t own = has_context ? seq2seq_->config().rnn.d_embedding : input.columns;
    set_transposed(name + ".input", input, 0, own);
    if (has_context) set_transposed(name + ".context", input, own, input.columns);
    set(name + ".input_bias", read(side + ".bias_ih_" + suffix).values);
    set_transposed(name + ".hidden", side + ".weight_hh_" + suffix);
    set(name + ".hidden_bias", read(side + ".bias_hh_" + suffix).values);
  }

  void load() {
    const auto& config = seq2seq_->config();
    set("source_embedding", read("source_embedding.weight").values);
    set("target_embedding", read("target_embedding.weight").values);
    for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
      set_cells(base::concat("encoder.", i), "encoder", base::concat("l", i));
      if (config.rnn.bidirectional == model::Bidirectional::kAll)
        set_cells(base::concat("encoder.", i, ".reverse"), "encoder",
                  base::concat("l", i, "_reverse"));
      set_cells(base::concat("decoder.", i), "decoder", base::concat("l", i));
    }
    set_transposed("bridge", "bridge.weight");
    set("bridge_bias", read("bridge.bias").values);
    const Foreign output = read("output.weight"), bias = read("output.bias");
    std::vector<float> projection;
    for (std::size_t row = 0; row < output.rows; ++row) {
      for (std::size_t column = 0; column < output.columns; ++column)
        projection.push_back(output.at(row, column));
      projection.insert(projection.end(), {bias.values[row], 0, 0, 0});
    }
    set("projection", projection);
    if (attends_) load_attention();
    CHECK(set_ == parameters_.size());
  }

  void load_attention() {
    const std::size_t size = seq2seq_->config().d_model;
    const Foreign merge = read("merge.weight");
    const std::size_t contexts = merge.columns - seq2seq_->config().rnn.d_embedding;
    set_transposed("attention.query", "attention_query.weight");
    set_transposed("attention.key", "attention_key.weight");
    set("attention.key_bias", read("attention_key.bias").values);
    set("attention.vector", read("attention_v.weight").values);
    set_transposed("readout.state", merge, 0, size);
    set_transposed("readout.context", merge, size, contexts);
    set_transposed("readout.embedding", merge, contexts, merge.columns);
    set("readout.bias", read("merge.bias").values);
  }

  json settings_;
  store::ArrayFile file_;
  bool attends_;
  std::vector<json> cases_;
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
  std::size_t set_ = 0;  // parameters
};

void check_scores(ForeignModel& model, decode::PairScorer& scorer) {
  std::vector<decode::SentencePair> pairs;
  for (const auto& each : model.cases()) {
    pairs.push_back({model.ids(each.at("source"), "source_vocabulary"),
                     model.ids(each.at("target"), "target_vocabulary")});
  }
  const auto scores = scorer.scores(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto expected = model.cases()[i].at("target_logprobs").get<std::vector<double>>();
    REQUIRE(scores[i].size() == expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at)
      CHECK(scores[i][at] == Approx(expected[at]).margin(kRounding).epsilon(kRounding));
  }
}

void check_search(ForeignModel& model, std::uint32_t beam, const char* name) {
  decode::TranslatorSettings made;
  made.search.beam_size = made.search.n_best = beam;
  made.search.alpha = 0;
  made.search.max_length_ratio = 0;
  made.search.max_length_extra = 60;
  decode::Translator translator(engine(), decode::single_model(model.view()), made);
  for (const auto& each : model.cases()) {
    const std::vector<Sentence> source = {model.ids(each.at("source"), "source_vocabulary")};
    const auto answers = translator.translate(source)[0];
    const json& expected = each.at(name);
    const auto best = expected.is_array() ? expected : json::array({expected});
    REQUIRE(answers.size() == best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      CAPTURE(each.at("id"), i);
      CHECK(answers[i].ids == model.ids(best[i].at("tokens"), "target_vocabulary"));
      CHECK(answers[i].log_probability ==
            Approx(best[i].at("logprob").get<double>()).margin(5 * kRounding));
    }
  }
}

void check_model(const std::string& directory) {
  ForeignModel model(directory);
  decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
  check_scores(model, scorer);
  decode::StepwiseScorer steps(engine(), decode::single_model(model.view()), {});
  check_scores(model, steps);
  check_search(model, 1, "greedy");
  check_search(model, 4, "beam4");
}

}  // namespace

TEST_CASE("a GRU with additive attention has the results of PyTorch", "[conformance]") {
  const auto file = conformance_file("models/rnn-gru-bahdanau/config.json");
  if (!file) return;
  const auto directory = std::filesystem::path(*file).parent_path().string();
  check_model(directory);
  ForeignModel model(directory);
  decode::TeacherForcedScorer scorer(
      engine(), model.view(),
      {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
  for (const auto& each : model.cases()) {
    const auto attention = scorer.attention({model.ids(each.at("source"), "source_vocabulary"),
                                             model.ids(each.at("target"), "target_vocabulary")});
    const auto& expected = each.at("attention");
    REQUIRE(attention.cross.rows == expected.size());
    for (std::uint32_t row = 0; row < attention.cross.rows; ++row) {
      for (std::uint32_t column = 0; column < attention.cross.columns; ++column) {
        CHECK(attention.cross.row(0, 0, row)[column] ==
              Approx(expected[row][column].get<double>()).margin(kRounding));
      }
    }
  }
}

TEST_CASE("a stacked LSTM without attention has the results of PyTorch", "[conformance]") {
  const auto file = conformance_file("models/rnn-lstm-plain/config.json");
  if (file) check_model(std::filesystem::path(*file).parent_path().string());
}

}  // namespace awend::tests
