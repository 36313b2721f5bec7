// Log-probabilities of a Marian model in CTranslate2's format, in a model with its settings: stored
// positions, and biases of attention and output that are not 0.
#include <cstring>
#include <map>

#include "decode/teacher_forced_scorer.hpp"
#include "tests/conformance.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

/// A matrix, or a vector with one row.
struct Variable {
  std::uint32_t rows = 1, columns = 1;
  std::vector<float> values;
};

/// The variables of type float32 in a model.bin of version 6.
class ModelFile {
 public:
  explicit ModelFile(const std::string& path) : bytes_(read_conformance(path)) {
    REQUIRE(number<std::uint32_t>() == 6);
    CHECK(text() == "TransformerSpec");
    number<std::uint32_t>();  // revision
    const auto count = number<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) read_variable();
  }

  const Variable& at(const std::string& name) const {
    CAPTURE(name);
    const auto found = variables_.find(name);
    REQUIRE(found != variables_.end());
    return found->second;
  }

 private:
  template <class Number>
  Number number() {
    Number value;
    REQUIRE(at_ + sizeof value <= bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {  // with a NUL at the end
    const auto size = number<std::uint16_t>();
    at_ += size;
    REQUIRE(at_ <= bytes_.size());
    return bytes_.substr(at_ - size, size - 1);
  }
  void read_variable() {
    const std::string name = text();
    Variable variable;
    const auto rank = number<std::uint8_t>();
    for (std::uint8_t i = 0; i < rank; ++i) {
      variable.rows = i == 0 ? 1 : variable.columns;
      variable.columns = number<std::uint32_t>();
    }
    const bool is_float = number<std::uint8_t>() == 0;
    const auto size = number<std::uint32_t>();
    REQUIRE(at_ + size <= bytes_.size());
    if (is_float) {
      variable.values.resize(size / sizeof(float));
      std::memcpy(variable.values.data(), bytes_.data() + at_, size);
      variables_.emplace(name, std::move(variable));
    }
    at_ += size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  std::map<std::string, Variable> variables_;
};

/// A part of one of their variables: rows of a matrix that is transposed, or elements of a bias.
struct Part {
  const char* name;
  std::uint32_t place = 0, parts = 1;
};

/// Of our names after the layer: "self.query" and so on.
const std::map<std::string, Part> kParts = {
    {"self.query", {"self_attention/linear_0", 0, 3}},
    {"self.key", {"self_attention/linear_0", 1, 3}},
    {"self.value", {"self_attention/linear_0", 2, 3}},
    {"self.output", {"self_attention/linear_1"}},
    {"cross.query", {"attention/linear_0"}},
    {"cross.key", {"attention/linear_1", 0, 2}},
    {"cross.value", {"attention/linear_1", 1, 2}},
    {"cross.output", {"attention/linear_2"}},
    {"feed_forward.inner", {"ffn/linear_0"}},
    {"feed_forward.outer", {"ffn/linear_1"}},
    {"self_norm", {"self_attention/layer_norm"}},
    {"cross_norm", {"attention/layer_norm"}},
    {"feed_forward_norm", {"ffn/layer_norm"}},
};

const std::map<std::string, std::string> kTables = {
    {"embedding", "decoder/embeddings/weight"},
    {"output_bias", "decoder/projection/bias"},
    {"source_positions", "decoder/position_encodings/encodings"},
    {"target_positions", "decoder/position_encodings/encodings"},
};

std::string without_end(const std::string& name, const std::string& end) {
  return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : "";
}

/// The values of our parameter, from theirs.
std::vector<float> values_of(const ModelFile& file, const std::string& name) {
  if (const auto table = kTables.find(name); table != kTables.end())
    return file.at(table->second).values;
  // "encoder.0.self.query" is in "encoder/layer_0/".
  const auto dot = name.find('.'), end = name.find('.', dot + 1);
  const std::string layer =
      name.substr(0, dot) + "/layer_" + name.substr(dot + 1, end - dot - 1) + "/";
  const std::string part = name.substr(end + 1);
  if (const auto norm = without_end(part, ".gain"); !norm.empty())
    return file.at(layer + kParts.at(norm).name + "/gamma").values;
  if (const auto norm = without_end(part, ".bias"); !norm.empty())
    return file.at(layer + kParts.at(norm).name + "/beta").values;
  const auto biased = without_end(part, "_bias");
  const Part& it = kParts.at(biased.empty() ? part : biased);
  const Variable& whole = file.at(layer + it.name + (biased.empty() ? "/weight" : "/bias"));
  if (!biased.empty()) {
    const std::uint32_t size = whole.columns / it.parts;
    const auto first = whole.values.begin() + it.place * size;
    return {first, first + size};
  }
  const std::uint32_t rows = whole.rows / it.parts;
  std::vector<float> transposed;
  for (std::uint32_t column = 0; column < whole.columns; ++column) {
    for (std::uint32_t row = it.place * rows; row < (it.place + 1) * rows; ++row)
      transposed.push_back(whole.values[row * whole.columns + column]);
  }
  return transposed;
}

model::Config config_of(const ModelFile& file) {
  const Variable& embedding = file.at("decoder/embeddings/weight");
  model::Config config;
  config.vocabulary = embedding.rows;
  config.d_model = embedding.columns;
  config.d_ff = file.at("encoder/layer_0/ffn/linear_0/weight").rows;
  config.heads = 4;
  config.d_k = config.d_v = model::head_size(config.d_model, config.heads);
  config.encoder_layers = config.decoder_layers = 2;
  config.attention_bias = config.output_bias = model::Switch::kOn;
  config.positions = model::Positions::kStored;
  config.longest = file.at("decoder/position_encodings/encodings").rows;
  return config;
}

/// The largest difference of log-probabilities.
double difference(const ModelFile& file, const model::Config& config,
                  const std::string& directory) {
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialize(1);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameters.write(parameters.parameter(i), values_of(file, parameters.name(i)));
  std::map<std::string, std::uint32_t> id_of;
  for (const auto& token :
       nlohmann::json::parse(read_conformance(directory + "/shared_vocabulary.json")))
    id_of.emplace(token, static_cast<std::uint32_t>(id_of.size()));
  const auto ids = [&](const nlohmann::json& tokens) {
    std::vector<std::uint32_t> ids;
    for (const auto& token : tokens) ids.push_back(id_of.at(token));
    return ids;
  };
  const auto cases = read_json_lines(directory + "/cases.jsonl");
  std::vector<decode::SentencePair> pairs;
  for (const auto& each : cases) pairs.push_back({ids(each["source"]), ids(each["target"])});
  decode::TeacherForcedScorer scorer(engine(), {&parameters, seq2seq.get()},
                                     {.end_of_sentence = id_of.at("</s>")});
  const auto scores = scorer.scores(pairs);
  double largest = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto expected = cases[i].at("target_logprobs").get<std::vector<double>>();
    REQUIRE(scores[i].size() == expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at)
      largest = std::max(largest, std::abs(scores[i][at] - expected[at]));
  }
  return largest;
}

}  // namespace

TEST_CASE("a Marian model has the log-probabilities of CTranslate2", "[conformance]") {
  const auto path = conformance_file("models/ct2/float32/model.bin");
  if (!path) return;
  const std::string directory = path->substr(0, path->rfind('/'));
  const ModelFile file(*path);
  const model::Config right = config_of(file);
  CHECK(difference(file, right, directory) < 1e-4);
  // The layout of Marian's sinusoids is that of the stored table, other layouts are not.
  auto config = right;
  config.positions = model::Positions::kSinusoid;
  config.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  CHECK(difference(file, config, directory) < 1e-4);
  config.sinusoid_layout = model::SinusoidLayout::kHalves;
  CHECK(difference(file, config, directory) > 0.1);
  config = right;
  config.output_bias = model::Switch::kOff;
  CHECK(difference(file, config, directory) > 1e-3);
  config = right;
  config.attention_bias = model::Switch::kOff;
  CHECK(difference(file, config, directory) > 1e-3);
}

}  // namespace awend::tests
