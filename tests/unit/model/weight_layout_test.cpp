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
  config.d_model = config.transformer.d_ff = 8;
  config.transformer.heads = 2;
  config.transformer.d_k = config.transformer.d_v = 4;
  config.encoder_layers = 2;
  config.decoder_layers = 1;
  if (number % 2 == 1) config.transformer.norm = model::Norm::kPre;
  if (number % 3 == 1) {
    config.transformer.attention_bias = config.transformer.output_bias =
        config.transformer.embedding_norm = Switch::kOn;
    config.transformer.decoder_heads = 1;
    config.transformer.decoder_d_ff = 16;
  }
  constexpr model::Tie kTies[] = {model::Tie::kAll, model::Tie::kDecoder, model::Tie::kEmbeddings,
                                  model::Tie::kNone};
  config.transformer.tie = kTies[number % 4];
  if (config.transformer.tie == model::Tie::kDecoder) config.source_vocabulary = 16;
  if (number % 5 == 1) config.transformer.positions = model::Positions::kLearned;
  if (number % 5 == 2) config.transformer.positions = model::Positions::kStored;
  if (number % 5 == 3) config.transformer.final_norm = model::FinalNorm::kEncoder;
  if (number % 4 == 3) config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  if (number % 8 == 7) config.transformer.ssru_projection = Switch::kOn;
  if (number % 7 == 1) config.transformer.norm_kind = model::NormKind::kRms;
  if (number % 7 == 2) config.transformer.feed_forward = model::FeedForwardKind::kGated;
  if (number % 6 == 2) config.transformer.feed_forward_bias = Switch::kOff;
  if (number % 5 == 0 && number % 4 != 3)
    config.transformer.positions = model::Positions::kRelative;
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
  config.bert.labels.clear();
  config.bert.task = model::Task::kSpans;
  check_layout(config);
}

/// Recurrent networks of all kinds, by number.
model::Config recurrent(int number) {
  auto config = model::preset("rnn-tiny");
  auto& rnn = config.rnn;
  config.vocabulary = 12;
  config.d_model = rnn.d_attention = 8;
  rnn.d_embedding = 16;
  config.encoder_layers = config.decoder_layers = number % 2 + 1;
  constexpr model::Bidirectional kDirections[] = {
      model::Bidirectional::kAll, model::Bidirectional::kFirst, model::Bidirectional::kNone};
  constexpr model::RnnAttention kAttentions[] = {
      model::RnnAttention::kNone, model::RnnAttention::kAdditive, model::RnnAttention::kGeneral};
  rnn.bidirectional = kDirections[number % 3];
  rnn.attention = kAttentions[number / 3 % 3];
  if (number % 4 == 0) rnn.cell = nn::Cell::kLstm;
  if (number % 5 == 0) rnn.bridge = model::Bridge::kMean;
  if (number % 7 == 0 && rnn.bidirectional == model::Bidirectional::kAll &&
      rnn.attention != model::RnnAttention::kNone)
    rnn.bridge = model::Bridge::kReverse;
  if (rnn.attention == model::RnnAttention::kNone && number % 2 == 1)
    rnn.context_feeding = Switch::kOn;
  const bool is_additive = rnn.attention == model::RnnAttention::kAdditive;
  if (rnn.attention == model::RnnAttention::kGeneral && number % 4 == 1)
    rnn.input_feeding = Switch::kOn;
  if (is_additive && number % 2 == 1) {
    rnn.conditional_cell = Switch::kOn;
    rnn.d_readout = 16;
    constexpr model::Tie kTies[] = {model::Tie::kAll, model::Tie::kDecoder,
                                    model::Tie::kEmbeddings};
    rnn.tie = kTies[number / 9 % 3];
    if (rnn.tie == model::Tie::kDecoder) config.source_vocabulary = 20;
  }
  if (rnn.attention == model::RnnAttention::kGeneral && number % 2 == 0)
    rnn.attention_span = model::AttentionSpan::kPredictive;
  if (has_readout(config) && rnn.input_feeding == Switch::kOff && number % 3 == 1)
    rnn.readout = model::Readout::kMaxout;
  return config;
}

TEST_CASE("the weights of a layout of a recurrent network are the parameters of the network") {
  for (int number = 0; number < 60; ++number) {
    CAPTURE(number);
    check_layout(recurrent(number));
  }
}

TEST_CASE("other architectures have no layout") {
  CHECK(tests::message_of([] { model::weights_of(model::preset("memory-joint")); }) ==
        "models of architecture memory cannot be converted");
}

}  // namespace
