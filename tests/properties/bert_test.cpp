// Predictions and vectors of a BERT of Hugging Face, in a model with its settings; batches do not
// change results.
//
// The weights are copied by name, which shows that the settings suffice.
#include <map>

#include "decode/sentence_encoder.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using Json = nlohmann::json;

/// Our names of parameters after the layer, and theirs.
const std::map<std::string, std::string> kOfLayer = {
    {".self.query", ".attention.self.query.weight"},
    {".self.key", ".attention.self.key.weight"},
    {".self.value", ".attention.self.value.weight"},
    {".self.output", ".attention.output.dense.weight"},
    {".self.query_bias", ".attention.self.query.bias"},
    {".self.key_bias", ".attention.self.key.bias"},
    {".self.value_bias", ".attention.self.value.bias"},
    {".self.output_bias", ".attention.output.dense.bias"},
    {".self_norm.gain", ".attention.output.LayerNorm.weight"},
    {".self_norm.bias", ".attention.output.LayerNorm.bias"},
    {".feed_forward.inner", ".intermediate.dense.weight"},
    {".feed_forward.inner_bias", ".intermediate.dense.bias"},
    {".feed_forward.outer", ".output.dense.weight"},
    {".feed_forward.outer_bias", ".output.dense.bias"},
    {".feed_forward_norm.gain", ".output.LayerNorm.weight"},
    {".feed_forward_norm.bias", ".output.LayerNorm.bias"},
};
const std::map<std::string, std::string> kOutsideOfLayers = {
    {"embedding", "bert.embeddings.word_embeddings.weight"},
    {"positions", "bert.embeddings.position_embeddings.weight"},
    {"segments", "bert.embeddings.token_type_embeddings.weight"},
    {"encoder.embedding_norm.gain", "bert.embeddings.LayerNorm.weight"},
    {"encoder.embedding_norm.bias", "bert.embeddings.LayerNorm.bias"},
    {"masked.dense", "cls.predictions.transform.dense.weight"},
    {"masked.dense_bias", "cls.predictions.transform.dense.bias"},
    {"masked.norm.gain", "cls.predictions.transform.LayerNorm.weight"},
    {"masked.norm.bias", "cls.predictions.transform.LayerNorm.bias"},
    {"masked.bias", "cls.predictions.bias"},
};

std::string name_there(const std::string& name) {
  if (const auto found = kOutsideOfLayers.find(name); found != kOutsideOfLayers.end())
    return found->second;
  const auto layer_end = name.find('.', name.find('.') + 1);
  auto layer = name.substr(0, layer_end);
  layer.insert(layer.find('.'), ".layer");
  return "bert." + layer + kOfLayer.at(name.substr(layer_end));
}

/// Their matrices are (outputs, inputs), ours (inputs, outputs), except for tables.
std::vector<float> weights_of(const store::ArrayFile& file, const std::string& name,
                              const nn::Parameter& parameter) {
  const auto& array = file.at(name_there(name));
  const auto values = file.floats(array.name, array.shape);
  REQUIRE(values.size() == std::size_t{parameter.rows} * parameter.columns);
  std::vector<float> own(values.begin(), values.end());
  const bool is_table = name == "embedding" || name == "positions" || name == "segments";
  if (parameter.rows == 1 || parameter.columns == 1 || is_table) return own;
  for (std::uint32_t row = 0; row < parameter.rows; ++row) {
    for (std::uint32_t column = 0; column < parameter.columns; ++column)
      own[row * parameter.columns + column] = values[column * parameter.rows + row];
  }
  return own;
}

model::Config config_of(const Json& theirs) {
  auto config = model::preset("bert-tiny");
  config.vocabulary = theirs.at("vocab_size");
  config.d_model = theirs.at("hidden_size");
  config.d_ff = theirs.at("intermediate_size");
  config.heads = theirs.at("num_attention_heads");
  config.d_k = config.d_v = model::head_size(config.d_model, config.heads);
  config.encoder_layers = theirs.at("num_hidden_layers");
  config.longest = theirs.at("max_position_embeddings");
  config.norm_epsilon = theirs.at("layer_norm_eps");
  config.bert.next_sentence = model::Switch::kOff;
  return config;
}

/// Their model and its vocabulary.
class HfBert {
 public:
  explicit HfBert(const std::string& directory)
      : config(config_of(Json::parse(read_conformance(directory + "/config.json")))),
        directory_(directory) {
    std::istringstream pieces(read_conformance(directory + "/vocab.txt"));
    for (std::string piece; std::getline(pieces, piece);)
      ids_.emplace(piece, static_cast<std::uint32_t>(ids_.size()));
  }

  std::uint32_t id(const Json& token) const { return ids_.at(token.get<std::string>()); }

  data::EncoderLine line(const Json& tokens, const Json& types) const {
    data::EncoderLine line{.ids = {}, .second_segment = 0, .predicted = {}};
    for (const Json& token : tokens) line.ids.push_back(id(token));
    for (const Json& type : types) line.second_segment += type == 0 ? 1 : 0;
    return line;
  }

  std::vector<decode::EncodedLine> encode(std::span<const data::EncoderLine> lines) const {
    const store::ArrayFile file(directory_ + "/model.safetensors");
    nn::Parameters parameters;
    const auto model = model::make_model(config, parameters);
    parameters.allocate(engine(), nn::Use::kInference);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& parameter = parameters.parameter(i);
      parameters.write(parameter, weights_of(file, parameters.name(i), parameter));
    }
    decode::SentenceEncoder encoder(engine(), {&parameters, &model::require_encoder(*model)},
                                    {.batch_tokens = 100,
                                     .candidates = config.vocabulary,
                                     .vector = decode::LineVector::kFirst});
    return encoder.encode(lines);
  }

  model::Config config;

 private:
  std::string directory_;
  std::map<std::string, std::uint32_t> ids_;
};

double log_probability(const decode::EncodedLine& line, std::size_t prediction, std::uint32_t id,
                       std::uint32_t classes) {
  for (std::size_t i = prediction * classes; i < (prediction + 1) * classes; ++i) {
    if (line.candidates[i].id == id) return line.candidates[i].log_probability;
  }
  throw std::runtime_error("an id is not among the candidates");
}

/// The largest difference of the cases' values.
double difference(const HfBert& bert, const std::vector<Json>& cases) {
  std::vector<data::EncoderLine> lines;
  for (const Json& each : cases) {
    lines.push_back(bert.line(each["tokens"], each["token_types"]));
    lines.back().predicted = each["masked"].get<std::vector<std::uint32_t>>();
  }
  const auto encoded = bert.encode(lines);
  double largest = 0;
  const auto compare = [&](double own, const Json& expected) {
    largest = std::max(largest, std::abs(own - expected.get<double>()));
  };
  const auto classes = bert.config.vocabulary;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& each = cases[i];
    for (std::size_t at = 0; at < each["masked"].size(); ++at) {
      compare(log_probability(encoded[i], at, bert.id(each["answers"][at]), classes),
              each["answer_logprobs"][at]);
      for (std::size_t k = 0; k < each["best5"][at].size(); ++k) {
        const Json& best = each["best5"][at][k];
        compare(encoded[i].candidates[at * classes + k].log_probability, best["logprob"]);
      }
    }
    for (std::size_t k = 0; k < each["last_hidden_cls"].size(); ++k)
      compare(encoded[i].vector[k], each["last_hidden_cls"][k]);
  }
  return largest;
}

/// The same of the words of sentences, each of which alone is masked.
double difference_of_sentences(const HfBert& bert, const std::vector<Json>& cases) {
  std::vector<data::EncoderLine> lines;
  std::vector<std::uint32_t> answers;
  std::vector<double> expected;
  for (const Json& each : cases) {
    const auto whole = bert.line(each["sentence"], each["token_types"]);
    std::size_t word = 0;
    for (std::uint32_t place = 0; place < whole.ids.size(); ++place) {
      if (each["sentence"][place].get<std::string>().starts_with('[')) continue;
      auto line = whole;
      line.ids[place] = bert.id("[MASK]");
      line.predicted = {place};
      lines.push_back(line);
      answers.push_back(whole.ids[place]);
      expected.push_back(each["word_logprobs_one_masked"][word++]);
    }
  }
  const auto encoded = bert.encode(lines);
  double largest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto own = log_probability(encoded[i], 0, answers[i], bert.config.vocabulary);
    largest = std::max(largest, std::abs(own - expected[i]));
  }
  return largest;
}

}  // namespace

TEST_CASE("a BERT model has the predictions and vectors of transformers", "[conformance]") {
  const auto config = conformance_file("models/hf-bert/config.json");
  if (!config) return;
  const std::string directory = config->substr(0, config->rfind('/'));
  const auto cases = read_json_lines(directory + "/cases.jsonl");
  REQUIRE(cases.size() > 10);
  HfBert bert(directory);
  CHECK(difference(bert, cases) < 1e-4);
  CHECK(difference_of_sentences(bert, cases) < 1e-4);
  // The settings matter.
  const auto right = bert.config;
  bert.config.norm_epsilon = 1e-1;
  CHECK(difference(bert, cases) > 1e-3);
  bert.config = right;
  bert.config.activation = nn::Activation::kRelu;
  CHECK(difference(bert, cases) > 1e-3);
}

TEST_CASE("the result of a line does not depend on the lines next to it") {
  auto config = model::preset("bert-tiny");
  config.vocabulary = 50;
  config.longest = 24;
  nn::Parameters parameters;
  const auto model = model::make_model(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialize(5);
  decode::SentenceEncoder encoder(engine(), {&parameters, &model::require_encoder(*model)},
                                  {.batch_tokens = 60,
                                   .candidates = 7,
                                   .vector = decode::LineVector::kMean,
                                   .pairs = decode::EncoderSettings::Pairs::kClassify});
  const data::EncoderIds special{.pad = 0, .unknown = 1, .classify = 2, .separator = 3, .mask = 4};
  std::vector<data::EncoderLine> lines;
  for (const auto& sentence : some_sentences())
    lines.push_back(data::encoder_line(sentence, special, data::Labeled::kTokens));
  const auto together = encoder.encode(lines);
  REQUIRE(together.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto own = encoder.encode({&lines[i], 1}).front();
    CHECK(own.vector == together[i].vector);
    CHECK(own.follows == together[i].follows);
    CHECK(own.follows < 0);
    REQUIRE(own.candidates.size() == 7 * lines[i].predicted.size());
    for (std::size_t k = 0; k < own.candidates.size(); ++k) {
      CHECK(own.candidates[k].id == together[i].candidates[k].id);
      CHECK(own.candidates[k].log_probability == together[i].candidates[k].log_probability);
    }
  }
}

}  // namespace awend::tests
