#include "model/weight_layout.hpp"

#include "model/architectures.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using model::Switch;

model::Config variant(int number) {
  model::Config config;
  config.vocabulary = 12;
  config.d_model = config.d_ff = 8;
  config.heads = 2;
  config.d_k = config.d_v = 4;
  config.encoder_layers = 2;
  config.decoder_layers = 1;
  if (number % 2 == 1) config.norm = model::Norm::kPre;
  if (number % 3 == 1) {
    config.attention_bias = config.output_bias = config.embedding_norm = Switch::kOn;
    config.decoder_heads = 1;
    config.decoder_d_ff = 16;
  }
  constexpr model::Tie kTies[] = {model::Tie::kAll, model::Tie::kDecoder, model::Tie::kEmbeddings,
                                  model::Tie::kNone};
  config.tie = kTies[number % 4];
  if (config.tie == model::Tie::kDecoder) config.source_vocabulary = 16;
  if (number % 5 == 1) config.positions = model::Positions::kLearned;
  if (number % 5 == 2) config.positions = model::Positions::kStored;
  if (number % 5 == 3) config.final_norm = model::FinalNorm::kEncoder;
  if (number % 4 == 3) config.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  if (number % 8 == 7) config.ssru_projection = Switch::kOn;
  return config;
}

void check_layout(const model::Config& config) {
  nn::Parameters parameters;
  const auto network = model::make_model(config, parameters);
  const auto weights = model::weights_of(config);
  REQUIRE(weights.size() == parameters.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(weights[i].name() == parameters.name(i));
    CHECK(weights[i].rows == parameters.parameter(i).rows);
    CHECK(weights[i].columns == parameters.parameter(i).columns);
  }
}

TEST_CASE("the weights of a layout are the parameters of the network") {
  for (int number = 0; number < 60; ++number) {
    CAPTURE(number);
    check_layout(variant(number));
  }
}

TEST_CASE("the weights of a layout of BERT are the parameters of the network") {
  auto config = model::preset("bert-tiny");
  config.vocabulary = 12;
  check_layout(config);
  config.bert.next_sentence = Switch::kOff;
  check_layout(config);
  config.bert.labels = {"a", "b", "c"};
  for (const auto task : {model::Task::kClassify, model::Task::kTag}) {
    config.bert.task = task;
    check_layout(config);
  }
}

TEST_CASE("other architectures have no layout") {
  CHECK(tests::message_of([] { model::weights_of(model::preset("rnn-tiny")); }) ==
        "models of architecture rnn cannot be converted");
}

}  // namespace
