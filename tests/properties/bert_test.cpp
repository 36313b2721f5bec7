// Predictions and vectors of a BERT of Hugging Face, converted; batches do not change results.
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "decode/loaded_encoder.hpp"
#include "decode/sentence_encoder.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "tests/conformance.hpp"
#include "tests/largest.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using Json = nlohmann::json;

/// An encoder with random weights, always the same.
class RandomEncoder {
 public:
  RandomEncoder(nn::Engine& device, const model::Config& config,
                const decode::EncoderSettings& settings)
      : model_(model::make_model(config, parameters_)) {
    parameters_.allocate(device, nn::Use::kInference);
    parameters_.initialize(5);
    const model::EncoderView view{&parameters_, &model::require_encoder(*model_)};
    encoder_.emplace(device, view, settings);
  }
  std::vector<decode::EncodedLine> encode(std::span<const data::EncoderLine> lines) {
    return encoder_->encode(lines);
  }

 private:
  nn::Parameters parameters_;
  std::unique_ptr<model::Model> model_;
  std::optional<decode::SentenceEncoder> encoder_;
};

/// Their model as a checkpoint, perhaps with other settings.
class HfBert {
 public:
  explicit HfBert(const std::string& directory) {
    interchange::ModelFiles files(directory);
    converted = interchange::read_model(files);
  }

  std::uint32_t id(const Json& token) const {
    return converted.vocabulary->find(token.get<std::string>()).value();
  }

  data::EncoderLine line(const Json& tokens, const Json& types) const {
    data::EncoderLine line{.ids = {}, .second_segment = 0, .predicted = {}};
    for (const Json& token : tokens) line.ids.push_back(id(token));
    for (const Json& type : types) line.second_segment += type == 0 ? 1 : 0;
    return line;
  }

  std::vector<decode::EncodedLine> encode(std::span<const data::EncoderLine> lines) const {
    const Scratch scratch;
    const auto path = scratch.path("bert.safetensors");
    interchange::write_checkpoint(path, converted);
    decode::LoadedEncoder model(engine(), store::ArrayFile(path), nn::Element::kFloat32);
    decode::SentenceEncoder encoder(engine(), model.view(),
                                    {.batch_tokens = 100,
                                     .candidates = converted.config.vocabulary,
                                     .vector = decode::LineVector::kFirst});
    return encoder.encode(lines);
  }

  interchange::ConvertedModel converted;
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
    largest = larger(largest, std::abs(own - expected.get<double>()));
  };
  const auto classes = bert.converted.config.vocabulary;
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
    const auto own = log_probability(encoded[i], 0, answers[i], bert.converted.config.vocabulary);
    largest = larger(largest, std::abs(own - expected[i]));
  }
  return largest;
}

}  // namespace

TEST_CASE("a converted BERT has the predictions and vectors of transformers", "[conformance]") {
  const auto config = conformance_file("models/hf-bert/config.json");
  if (!config) return;
  const std::string directory = config->substr(0, config->rfind('/'));
  const auto cases = read_json_lines(directory + "/cases.jsonl");
  REQUIRE(cases.size() > 10);
  HfBert bert(directory);
  CHECK(difference(bert, cases) < 1e-4);
  CHECK(difference_of_sentences(bert, cases) < 1e-4);
  // The settings matter.
  const auto right = bert.converted.config;
  bert.converted.config.transformer.norm_epsilon = 1e-1;
  CHECK(difference(bert, cases) > 1e-3);
  bert.converted.config = right;
  bert.converted.config.transformer.activation = nn::Activation::kRelu;
  CHECK(difference(bert, cases) > 1e-3);
}

TEST_CASE("the result of a line does not depend on the lines next to it") {
  auto config = model::preset("bert-tiny");
  config.vocabulary = 50;
  config.max_positions = 24;
  RandomEncoder encoder(engine(), config,
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

TEST_CASE("a line may have more predictions than one binding covers") {
  auto config = model::preset("bert-tiny");
  config.d_model = config.transformer.d_ff = 16;
  config.encoder_layers = 1;
  config.vocabulary = 70'000;
  config.max_positions = 500;  // whose logits take 140 MB; lavapipe allows 128 MiB
  RandomEncoder encoder(
      engine(), config,
      {.batch_tokens = 500, .candidates = 2, .vector = decode::LineVector::kMean});
  std::vector<data::EncoderLine> lines(3);
  for (std::uint32_t i = 0; i < 500; ++i) {
    lines[1].ids.push_back(5 + 97 * i);
    lines[1].predicted.push_back(i);
  }
  lines[0] = lines[2] = {.ids = lines[1].ids, .second_segment = 0, .predicted = {3, 497}};
  const auto encoded = encoder.encode(lines);
  REQUIRE(encoded.size() == 3);
  REQUIRE(encoded[0].candidates.size() == 4);
  REQUIRE(encoded[1].candidates.size() == 1000);
  REQUIRE(encoded[2].candidates.size() == 4);
  CHECK(encoded[1].vector == encoded[0].vector);
  for (const std::size_t k : {0, 1}) {
    CHECK(encoded[1].candidates[6 + k].id == encoded[0].candidates[k].id);
    CHECK(encoded[1].candidates[994 + k].id == encoded[2].candidates[2 + k].id);
    CHECK(encoded[1].candidates[994 + k].log_probability ==
          encoded[2].candidates[2 + k].log_probability);
  }
}

TEST_CASE("vectors and predictions do not depend on the number of threads, bit for bit",
          "[processor]") {
  auto config = model::preset("bert-tiny");
  config.vocabulary = 50;
  config.max_positions = 24;
  const data::EncoderIds special{.pad = 0, .unknown = 1, .classify = 2, .separator = 3, .mask = 4};
  std::vector<data::EncoderLine> lines;
  for (int i = 0; i < 5; ++i) {
    for (const auto& sentence : some_sentences())
      lines.push_back(data::encoder_line(sentence, special, data::Labeled::kTokens));
  }
  std::optional<std::vector<decode::EncodedLine>> expected;
  for (const unsigned threads : {1, 2, 3, 5}) {
    CAPTURE(threads);
    nn::Engine on_threads({.requested = nn::kProcessor, .threads = threads});
    RandomEncoder encoder(
        on_threads, config,
        {.batch_tokens = 100, .candidates = 7, .vector = decode::LineVector::kMean});
    CHECK(encoder.encode({}).empty());
    const auto encoded = encoder.encode(lines);
    REQUIRE(encoded.size() == lines.size());
    if (!expected) expected = encoded;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      REQUIRE(encoded[i].vector == (*expected)[i].vector);
      REQUIRE(encoded[i].candidates.size() == (*expected)[i].candidates.size());
      for (std::size_t k = 0; k < encoded[i].candidates.size(); ++k) {
        REQUIRE(encoded[i].candidates[k].id == (*expected)[i].candidates[k].id);
        REQUIRE(encoded[i].candidates[k].log_probability ==
                (*expected)[i].candidates[k].log_probability);
      }
    }
  }
}

TEST_CASE("the ends of spans of a line do not depend on the lines next to it") {
  auto config = model::preset("bert-tiny");
  config.vocabulary = 50;
  config.max_positions = 24;
  config.bert.task = model::Task::kSpans;
  RandomEncoder encoder(engine(), config,
                        {.batch_tokens = 60, .spans = decode::EncoderSettings::Spans::kScore});
  const data::EncoderIds special{.pad = 0, .unknown = 1, .classify = 2, .separator = 3, .mask = 4};
  std::vector<data::EncoderLine> lines;
  for (const auto& sentence : some_sentences())
    lines.push_back(data::encoder_line(sentence, special, data::Labeled::kSpans));
  const auto together = encoder.encode(lines);
  REQUIRE(together.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto own = encoder.encode({&lines[i], 1}).front().span_ends;
    REQUIRE(own.size() == 2 * lines[i].ids.size());
    CHECK(own == together[i].span_ends);
    CHECK(own[0] != own[1]);
  }
}

}  // namespace awend::tests
