// Log-probabilities of a MarianMT model of Hugging Face, in a model with its settings.
//
// The weights are copied by name, which shows that the settings suffice.
#include "decode/teacher_forced_scorer.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using Json = nlohmann::json;

/// Our prefixes of parameters and theirs.
constexpr std::pair<const char*, const char*> kSublayers[] = {
    {".self.query", ".self_attn.q_proj.weight"},
    {".self.key", ".self_attn.k_proj.weight"},
    {".self.value", ".self_attn.v_proj.weight"},
    {".self.output", ".self_attn.out_proj.weight"},
    {".self.query_bias", ".self_attn.q_proj.bias"},
    {".self.key_bias", ".self_attn.k_proj.bias"},
    {".self.value_bias", ".self_attn.v_proj.bias"},
    {".self.output_bias", ".self_attn.out_proj.bias"},
    {".self_norm.gain", ".self_attn_layer_norm.weight"},
    {".self_norm.bias", ".self_attn_layer_norm.bias"},
    {".cross.query", ".encoder_attn.q_proj.weight"},
    {".cross.key", ".encoder_attn.k_proj.weight"},
    {".cross.value", ".encoder_attn.v_proj.weight"},
    {".cross.output", ".encoder_attn.out_proj.weight"},
    {".cross.query_bias", ".encoder_attn.q_proj.bias"},
    {".cross.key_bias", ".encoder_attn.k_proj.bias"},
    {".cross.value_bias", ".encoder_attn.v_proj.bias"},
    {".cross.output_bias", ".encoder_attn.out_proj.bias"},
    {".cross_norm.gain", ".encoder_attn_layer_norm.weight"},
    {".cross_norm.bias", ".encoder_attn_layer_norm.bias"},
    {".feed_forward.inner", ".fc1.weight"},
    {".feed_forward.inner_bias", ".fc1.bias"},
    {".feed_forward.outer", ".fc2.weight"},
    {".feed_forward.outer_bias", ".fc2.bias"},
    {".feed_forward_norm.gain", ".final_layer_norm.weight"},
    {".feed_forward_norm.bias", ".final_layer_norm.bias"},
};

/// Their name for one of our parameters: "encoder.0.self.query" and so on.
std::string name_there(const std::string& name) {
  if (name == "embedding") return "model.shared.weight";
  if (name == "output_bias") return "final_logits_bias";
  const auto layer_end = name.find('.', name.find('.') + 1);
  auto layer = name.substr(0, layer_end);
  layer.insert(layer.find('.'), ".layers");
  for (const auto& [own, other] : kSublayers) {
    if (name.substr(layer_end) == own) return "model." + layer + other;
  }
  throw std::runtime_error(name + ": unknown parameter");
}

/// Their matrices are (outputs, inputs), ours (inputs, outputs), except for tables.
std::vector<float> weights_of(const store::ArrayFile& file, const std::string& name,
                              const nn::Parameter& parameter) {
  const auto& array = file.at(name_there(name));
  const auto values = file.floats(array.name, array.shape);
  REQUIRE(values.size() == std::size_t{parameter.rows} * parameter.columns);
  std::vector<float> own(values.begin(), values.end());
  if (parameter.rows == 1 || parameter.columns == 1 || name == "embedding") return own;
  for (std::uint32_t row = 0; row < parameter.rows; ++row) {
    for (std::uint32_t column = 0; column < parameter.columns; ++column)
      own[row * parameter.columns + column] = values[column * parameter.rows + row];
  }
  return own;
}

model::Config config_of(const Json& theirs) {
  model::Config config;
  config.vocabulary = theirs.at("vocab_size");
  config.d_model = theirs.at("d_model");
  config.d_ff = theirs.at("encoder_ffn_dim");
  config.decoder_d_ff = theirs.at("decoder_ffn_dim");
  config.heads = theirs.at("encoder_attention_heads");
  config.decoder_heads = theirs.at("decoder_attention_heads");
  config.d_k = config.d_v = model::head_size(config.d_model, config.heads);
  config.encoder_layers = theirs.at("encoder_layers");
  config.decoder_layers = theirs.at("decoder_layers");
  config.activation = nn::Activation::kSwish;
  config.attention_bias = config.output_bias = model::Switch::kOn;
  config.sinusoid_layout = model::SinusoidLayout::kHalves;
  config.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = theirs.at("decoder_start_token_id");
  config.masked_ids = {theirs.at("pad_token_id").get<std::uint32_t>()};
  return config;
}

/// Their model, and its vocabulary.
class MarianModel {
 public:
  explicit MarianModel(const std::string& directory)
      : config_(config_of(Json::parse(read_conformance(directory + "/config.json")))),
        vocabulary_(Json::parse(read_conformance(directory + "/vocab.json"))) {}

  model::Config& config() { return config_; }

  /// Log-probabilities of the target tokens and the end.
  std::vector<std::vector<float>> scores(const std::string& directory,
                                         const std::vector<Json>& cases) const {
    const store::ArrayFile file(directory + "/model.safetensors");
    nn::Parameters parameters;
    const auto seq2seq = model::make_seq2seq(config_, parameters);
    parameters.allocate(engine(), nn::Use::kInference);
    parameters.initialize(1);  // the values of stored positions
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& parameter = parameters.parameter(i);
      if (parameters.name(i).ends_with("_positions")) continue;
      parameters.write(parameter, weights_of(file, parameters.name(i), parameter));
    }
    std::vector<decode::SentencePair> pairs;
    for (const Json& each : cases) pairs.push_back({ids(each["source"]), ids(each["target"])});
    decode::TeacherForcedScorer scorer(engine(), {&parameters, seq2seq.get()},
                                       {.end_of_sentence = vocabulary_.at("</s>")});
    return scorer.scores(pairs);
  }

 private:
  std::vector<std::uint32_t> ids(const Json& tokens) const {
    std::vector<std::uint32_t> ids;
    for (const Json& token : tokens) ids.push_back(vocabulary_.at(token.get<std::string>()));
    return ids;
  }

  model::Config config_;
  Json vocabulary_;
};

/// The largest difference to the member `name` of the cases.
double difference(const std::vector<std::vector<float>>& scores, const std::vector<Json>& cases,
                  const char* name) {
  double largest = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto expected = cases[i].at(name).get<std::vector<double>>();
    REQUIRE(scores[i].size() == expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at)
      largest = std::max(largest, std::abs(scores[i][at] - expected[at]));
  }
  return largest;
}

}  // namespace

TEST_CASE("a MarianMT model has the log-probabilities of transformers", "[conformance]") {
  const auto config = conformance_file("models/hf-marian/config.json");
  if (!config) return;
  const std::string directory = config->substr(0, config->rfind('/'));
  const auto cases = read_json_lines(directory + "/cases.jsonl");
  REQUIRE(cases.size() > 20);
  MarianModel marian(directory);
  CHECK(difference(marian.scores(directory, cases), cases, "target_logprobs") < 1e-4);
  auto& settings = marian.config();
  settings.positions = model::Positions::kStored;
  CHECK(difference(marian.scores(directory, cases), cases, "target_logprobs") < 1e-4);
  settings.masked_ids.clear();
  CHECK(difference(marian.scores(directory, cases), cases, "target_logprobs_with_pad") < 1e-4);
  // Each of these settings matters.
  const model::Config right = settings;
  const auto check_wrong = [&](auto change) {
    settings = right;
    change(settings);
    CHECK(difference(marian.scores(directory, cases), cases, "target_logprobs_with_pad") > 1e-3);
  };
  check_wrong([](auto& it) { it.start_id = 1; });  // the embedding of <pad> is zero
  check_wrong([](auto& it) { it.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne; });
  check_wrong([](auto& it) { it.embedding_scale = nn::EmbeddingScale::kOne; });
  check_wrong([](auto& it) { it.source_end = model::Switch::kOff; });
  check_wrong([](auto& it) { it.attention_bias = model::Switch::kOff; });
  check_wrong([](auto& it) { it.output_bias = model::Switch::kOff; });
}

}  // namespace awend::tests
