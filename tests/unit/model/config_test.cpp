// Parameter counts of the models in Table 3 of the paper, and invalid settings.
#include "model/config.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/bert/bert.hpp"
#include "model/rnn/network.hpp"
#include "model/sinusoids.hpp"
#include "model/transformer/transformer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::model {
namespace {

std::uint64_t parameters_of(Config config, std::uint32_t vocabulary) {
  config.vocabulary = vocabulary;
  nn::Parameters parameters;
  const Transformer transformer(config, parameters);
  return parameters.numbers();
}

double millions(const Config& config, std::uint32_t vocabulary = 37000) {
  return static_cast<double>(parameters_of(config, vocabulary)) / 1e6;
}

template <class Change>
Config base_with(Change change) {
  Config config = preset("base");
  change(config);
  return config;
}

Config heads(std::uint32_t count, std::uint32_t size) {
  Config config = preset("base");
  config.transformer.heads = count;
  config.transformer.d_k = config.transformer.d_v = size;
  return config;
}

}  // namespace

// By hand, for 37 000 pieces: the shared matrix V d; an encoder layer 4 d h d_k + 2 d d_ff + d_ff +
// d + 4 d; a decoder layer 8 d h d_k + 2 d d_ff + d_ff + d + 6 d.
TEST_CASE("base and big have the parameters of section 3, counted by hand") {
  REQUIRE(parameters_of(preset("base"), 37000) == 18'944'000 + 6 * 3'150'336 + 6 * 4'199'936);
  REQUIRE(parameters_of(preset("big"), 37000) == 37'888'000 + 6 * 12'592'128 + 6 * 16'788'480);
}

// The paper calls its vocabulary "about 37 000".  With exactly that base has 63.0 million and big
// 214.2 million, which Table 3 gives as 65 and 213.  A vocabulary of 41 100 gives all ten rows of
// the base model to the last digit of the table, which shows that the layers have the right shapes;
// big needs 36 000.
TEST_CASE("every row of Table 3 has its parameter count, to the rounding of the paper") {
  const auto rounded = [](const Config& config) { return std::lround(millions(config, 41100)); };
  REQUIRE(rounded(preset("base")) == 65);
  REQUIRE(rounded(base_with([](Config& c) { c.transformer.d_k = 16; })) == 58);
  REQUIRE(rounded(base_with([](Config& c) { c.transformer.d_k = 32; })) == 60);
  REQUIRE(rounded(base_with([](Config& c) { c.encoder_layers = c.decoder_layers = 2; })) == 36);
  REQUIRE(rounded(base_with([](Config& c) { c.encoder_layers = c.decoder_layers = 4; })) == 50);
  REQUIRE(rounded(base_with([](Config& c) { c.encoder_layers = c.decoder_layers = 8; })) == 80);
  REQUIRE(rounded(base_with([](Config& c) {
            c.d_model = 256;
            c.transformer.d_k = c.transformer.d_v = 32;
          })) == 28);
  REQUIRE(rounded(base_with([](Config& c) {
            c.d_model = 1024;
            c.transformer.d_k = c.transformer.d_v = 128;
          })) == 168);
  REQUIRE(rounded(base_with([](Config& c) { c.transformer.d_ff = 1024; })) == 53);
  REQUIRE(rounded(base_with([](Config& c) { c.transformer.d_ff = 4096; })) == 90);
  REQUIRE(std::lround(millions(preset("big"), 36000)) == 213);
}

TEST_CASE("the number of heads does not change the count") {
  const double base = millions(preset("base"));
  REQUIRE(millions(heads(1, 512)) == Approx(base));
  REQUIRE(millions(heads(4, 128)) == Approx(base));
  REQUIRE(millions(heads(16, 32)) == Approx(base));
  REQUIRE(millions(heads(32, 16)) == Approx(base));
}

TEST_CASE("untied embeddings and learned positions add their tables") {
  const double base = millions(preset("base"));
  REQUIRE(millions(base_with([](Config& c) { c.transformer.tie = Tie::kDecoder; })) ==
          Approx(base + 18.944));
  REQUIRE(millions(base_with([](Config& c) { c.transformer.tie = Tie::kNone; })) ==
          Approx(base + 2 * 18.944));
  REQUIRE(millions(base_with([](Config& c) { c.transformer.positions = Positions::kLearned; })) ==
          Approx(base + 2 * 1024 * 512 / 1e6));
}

TEST_CASE("settings are the same after a round trip through a checkpoint") {
  Config config = preset("tiny");
  config.vocabulary = 123;
  config.transformer.norm = Norm::kPre;
  config.transformer.tie = Tie::kNone;
  config.transformer.positions = Positions::kLearned;
  config.transformer.relu_dropout = 0.25;
  const Config back = from_settings(to_settings(config), "file");
  REQUIRE(to_settings(back).to_json() == to_settings(config).to_json());
}

TEST_CASE("the settings of other toolkits are stored only if they differ from the defaults") {
  Config config = preset("tiny");
  config.vocabulary = 123;
  const auto settings = to_settings(config);
  for (const auto& [name, value] : settings.entries()) {
    CAPTURE(name);
    CHECK(name.find("bias") == std::string::npos);
    CHECK(name.find("epsilon") == std::string::npos);
  }
  CHECK(settings.entries().size() == 17);
  config.transformer.attention_bias = config.transformer.output_bias =
      config.transformer.embedding_norm = Switch::kOn;
  config.transformer.source_end = Switch::kOff;
  config.transformer.embedding_scale = nn::EmbeddingScale::kOne;
  config.transformer.final_norm = FinalNorm::kDecoder;
  config.transformer.norm_epsilon = 1e-5;
  config.transformer.sinusoid_layout = SinusoidLayout::kHalves;
  config.transformer.first_position = 2;
  config.decoder_start = DecoderStart::kToken;
  config.start_id = 122;
  config.transformer.masked_ids = {0, 7};
  config.transformer.tie = Tie::kDecoder;
  config.source_vocabulary = 77;
  config.transformer.decoder_heads = 2;
  config.transformer.decoder_d_ff = 64;
  config.transformer.autoregressive_layer = AutoregressiveLayer::kSsru;
  config.transformer.ssru_projection = Switch::kOn;
  const Config back = from_settings(to_settings(config), "file");
  CHECK(to_settings(back).entries().size() == 17 + 17);
  CHECK(to_settings(back).to_json() == to_settings(config).to_json());
  CHECK(back.transformer.masked_ids == config.transformer.masked_ids);
  CHECK(back.transformer.norm_epsilon == 1e-5);
}

TEST_CASE("settings of other toolkits add their parameters") {
  const double base = millions(preset("base"));
  const auto more = [&](auto change) { return millions(base_with(change)) - base; };
  CHECK(more([](Config& c) { c.transformer.attention_bias = Switch::kOn; }) ==
        Approx(18 * 4 * 512 / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.output_bias = Switch::kOn; }) ==
        Approx(0.037).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.embedding_norm = Switch::kOn; }) ==
        Approx(4 * 512 / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.final_norm = FinalNorm::kDecoder; }) ==
        Approx(2 * 512 / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.tie = Tie::kEmbeddings; }) == Approx(18.944));
  CHECK(more([](Config& c) { c.transformer.positions = Positions::kStored; }) ==
        Approx(2 * 1024 * 512 / 1e6));
  CHECK(more([](Config& c) { c.transformer.decoder_heads = 4; }) == Approx(0).margin(1e-9));
  const auto ssru = [](Config& c) {
    c.transformer.autoregressive_layer = AutoregressiveLayer::kSsru;
  };
  CHECK(more(ssru) == Approx(6 * (-2 * 512 + 1) * 512 / 1e6));
  CHECK(more([&](Config& c) {
          ssru(c);
          c.transformer.ssru_projection = Switch::kOn;
        }) == Approx(6 * (-512 + 2) * 512 / 1e6));
  CHECK(more([](Config& c) { c.transformer.norm_kind = NormKind::kRms; }) ==
        Approx(-30 * 512 / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.feed_forward = FeedForwardKind::kGated; }) ==
        Approx(12 * 513 * 2048 / 1e6));
  CHECK(more([](Config& c) { c.transformer.feed_forward_bias = Switch::kOff; }) ==
        Approx(-12 * (512 + 2048) / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.positions = Positions::kRelative; }) ==
        Approx(2 * 32 * 8 / 1e6).margin(1e-9));
  CHECK(more([](Config& c) { c.transformer.decoder_d_ff = 1024; }) ==
        Approx(-6 * (2 * 512 + 1) * 1024 / 1e6));
  CHECK(more([](Config& c) {
          c.transformer.tie = Tie::kDecoder;
          c.source_vocabulary = 1000;
        }) == Approx(0.512));
}

TEST_CASE("the heads of the decoder divide the width of those of the encoder") {
  Config config = preset("base");
  config.transformer.decoder_heads = 4;
  config.transformer.decoder_d_ff = 96;
  const Config side = decoder_side(config);
  CHECK(side.transformer.heads == 4);
  CHECK(side.transformer.d_k == 128);
  CHECK(side.transformer.d_v == 128);
  CHECK(side.transformer.d_ff == 96);
  CHECK(decoder_side(preset("base")).transformer.d_k == 64);
}

TEST_CASE("invalid settings are refused by name") {
  const auto refused = [](const char* name, auto change) {
    Config config = preset("base");
    config.vocabulary = 100;
    change(config);
    try {
      validate(config);
    } catch (const base::Error& error) {
      CAPTURE(error.what());
      REQUIRE(std::string(error.what()).find(name) != std::string::npos);
      return;
    }
    FAIL("accepted: " << name);
  };
  refused("heads", [](Config& c) { c.transformer.heads = 0; });
  refused("d-k", [](Config& c) { c.transformer.d_k = 30; });
  refused("d-model", [](Config& c) { c.d_model = 510; });
  refused("dropout", [](Config& c) { c.dropout = 1; });
  refused("encoder-layers", [](Config& c) { c.encoder_layers = 0; });
  refused("vocabulary", [](Config& c) { c.vocabulary = 0; });
  refused("norm-epsilon", [](Config& c) { c.transformer.norm_epsilon = 0; });
  refused("start-id must be below 100", [](Config& c) {
    c.decoder_start = DecoderStart::kToken;
    c.start_id = 100;
  });
  refused("masked-ids must be below 100", [](Config& c) { c.transformer.masked_ids = {3, 100}; });
  refused("tie all needs one vocabulary", [](Config& c) { c.source_vocabulary = 99; });
  refused("decoder-heads 7", [](Config& c) { c.transformer.decoder_heads = 7; });
  refused("decoder-heads 256", [](Config& c) { c.transformer.decoder_heads = 256; });
  refused("first-position", [](Config& c) {
    c.transformer.positions = Positions::kLearned;
    c.transformer.first_position = 2;
  });
  refused("ssru-projection needs autoregressive-layer ssru",
          [](Config& c) { c.transformer.ssru_projection = Switch::kOn; });
  refused("attention-window needs autoregressive-layer self-attention, got ssru", [](Config& c) {
    c.transformer.autoregressive_layer = AutoregressiveLayer::kSsru;
    c.transformer.attention_window = 4;
  });
  refused("sinusoid or stored, got relative", [](Config& c) {
    c.transformer.positions = Positions::kRelative;
    c.transformer.first_position = 2;
  });
  refused("relative-max-distance need positions relative, got sinusoid",
          [](Config& c) { c.transformer.relative_buckets = 64; });
  refused("relative-max-distance must be above relative-buckets / 2 = 16, got 16", [](Config& c) {
    c.transformer.positions = Positions::kRelative;
    c.transformer.relative_max_distance = 16;
  });
  refused("relative-buckets must be a multiple of 4", [](Config& c) {
    c.transformer.positions = Positions::kRelative;
    c.transformer.relative_buckets = 30;
  });
  refused("positions relative needs autoregressive-layer self-attention", [](Config& c) {
    c.transformer.positions = Positions::kRelative;
    c.transformer.autoregressive_layer = AutoregressiveLayer::kSsru;
  });
  refused("guided-alignment-layer 7 does not exist, decoder-layers is 6",
          [](Config& c) { c.transformer.guided_alignment_layer = 7; });
  REQUIRE_THROWS_AS(head_size(512, 7), base::Error);
  REQUIRE_THROWS_AS(preset("huge"), base::Error);
}

TEST_CASE("sinusoids interleave sine and cosine") {
  const auto table = sinusoids(3, 4);
  REQUIRE(table[0] == 0.0f);
  REQUIRE(table[1] == 1.0f);
  REQUIRE(table[4] == Approx(std::sin(1.0)));
  REQUIRE(table[5] == Approx(std::cos(1.0)));
  REQUIRE(table[10] == Approx(std::sin(0.02)));
}

TEST_CASE("sinusoids have the layouts of other toolkits") {
  const auto halves =
      sinusoids({.rows = 70, .columns = 6, .layout = SinusoidLayout::kHalves, .first = 2});
  const auto minus_one =
      sinusoids({.rows = 70, .columns = 6, .layout = SinusoidLayout::kHalvesMinusOne, .first = 2});
  for (std::uint32_t row = 0; row < 70; ++row) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const double angle = (row + 2) / std::pow(10000.0, i / 3.0);
      CHECK(halves[row * 6 + i] == Approx(std::sin(angle)).margin(1e-6));
      CHECK(halves[row * 6 + 3 + i] == Approx(std::cos(angle)).margin(1e-6));
      const double steeper = (row + 2) / std::pow(10000.0, i / 2.0);
      CHECK(minus_one[row * 6 + i] == Approx(std::sin(steeper)).margin(1e-6));
      CHECK(minus_one[row * 6 + 3 + i] == Approx(std::cos(steeper)).margin(1e-6));
    }
  }
}

TEST_CASE("sinusoids far out, and of odd width, are as exact as a float") {
  for (const std::uint32_t columns : {6u, 7u}) {
    const auto table = sinusoids(20'000, columns);
    for (const std::uint32_t position : {1u, 63u, 64u, 65u, 1000u, 19'999u}) {
      for (std::uint32_t column = 0; column < columns; ++column) {
        const double angle =
            position / std::pow(10000.0, static_cast<double>(column - column % 2) / columns);
        const double expected = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
        REQUIRE(std::abs(table[position * columns + column] - expected) < 1e-7);
      }
    }
  }
}

TEST_CASE("settings belong to architectures", "[config]") {
  const auto names = [](std::string_view architecture) {
    std::vector<std::string> all;
    for (const auto& field : config_fields(architecture)) all.emplace_back(field.about.name);
    return all;
  };
  const auto has = [&](std::string_view architecture, const std::string& name) {
    const auto all = names(architecture);
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  CHECK(has("transformer", "heads"));
  CHECK_FALSE(has("transformer", "cell"));
  CHECK(has("rnn", "cell"));
  CHECK(has("rnn", "d-model"));
  CHECK_FALSE(has("rnn", "heads"));
  // A checkpoint carries those of its architecture, and some only if they differ from the default.
  const auto settings = to_settings(preset("luong"));
  CHECK(settings.find("source-order") == "reversed");
  CHECK_FALSE(to_settings(preset("gnmt")).find("source-order"));
  CHECK_FALSE(to_settings(preset("gnmt")).find("readout"));
  CHECK_FALSE(to_settings(preset("gnmt")).find("local-window"));
  CHECK(has("rnn", "source-order"));
  CHECK_FALSE(has("transformer", "source-order"));
  CHECK(settings.find("architecture") == "rnn");
  CHECK(settings.find("input-feeding") == "on");
  CHECK_FALSE(settings.find("heads"));
  CHECK_FALSE(settings.find("start-id"));
  CHECK_FALSE(to_settings(preset("base")).find("cell"));
  Config config = preset("luong");
  config.vocabulary = 10;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 7;
  const Config same = from_settings(to_settings(config), "file");
  CHECK(start_token_of(same) == 7);
  CHECK(same.rnn.cell == nn::Cell::kLstm);
  CHECK(to_settings(same).to_json() == to_settings(config).to_json());
}

TEST_CASE("recurrent networks have the sizes of their papers", "[config]") {
  const auto millions = [](const char* name) {
    Config config = preset(name);
    config.vocabulary = 4;
    nn::Parameters parameters;
    const RnnNetwork network(config, parameters);
    return static_cast<double>(parameters.numbers()) / 1e6;
  };
  // Eight layers of 8 million weights each.
  CHECK(millions("sutskever") == Approx(64).epsilon(0.01));
  // A GRU of d reads m numbers by 3 d (m + d) weights.
  CHECK(millions("bahdanau") ==
        Approx(2 * 3 * 1.0 * (620 + 1000) / 1e3 + 3 * 1.0 * (620 + 2000 + 1000) / 1e3 +
               (1000 + 2000 + 1000) / 1e3 + (1000 + 2000 + 620) / 1e3)
            .epsilon(0.01));
  // Cho et al. give the summary to the gates and, like the state, to 500 maxout units.
  CHECK(millions("cho") ==
        Approx(3 * 1.0 * (100 + 1000) / 1e3 + 3 * 1.0 * (100 + 1000 + 1000) / 1e3 +
               (1000 + 1000) / 1e3 + (1000 + 1000 + 100) / 1e3)
            .epsilon(0.01));
  for (const char* name : {"luong", "gnmt", "rnn-small", "rnn-tiny"}) CHECK(millions(name) > 0.1);
}

TEST_CASE("settings of a recurrent network that contradict each other are refused", "[config]") {
  const auto error = [](auto change) {
    Config config = preset("luong");
    config.vocabulary = 10;
    change(config);
    return tests::message_of([&] { validate(config); });
  };
  CHECK(error([](Config&) {}).empty());
  CHECK(error([](Config& c) { c.rnn.attention = RnnAttention::kNone; }) ==
        "input-feeding needs attention dot or general");
  CHECK(error([](Config& c) { c.rnn.bidirectional = Bidirectional::kAll; }) ==
        "bridge copy needs bidirectional none");
  CHECK(error([](Config& c) { c.rnn.conditional_cell = Switch::kOn; }) ==
        "conditional-cell needs attention additive");
  CHECK(error([](Config& c) { c.rnn.d_readout = 8; }) ==
        "d-readout needs attention without input-feeding, or context-feeding");
  CHECK(error([](Config& c) { c.rnn.readout = Readout::kMaxout; }) ==
        "readout maxout needs attention without input-feeding, or context-feeding");
  CHECK(error([](Config& c) { c.rnn.attention_span = AttentionSpan::kPredictive; }).empty());
  CHECK(error([](Config& c) {
          c.rnn.attention = RnnAttention::kAdditive;
          c.rnn.input_feeding = Switch::kOff;
          c.rnn.attention_span = AttentionSpan::kMonotonic;
        }) == "attention-span monotonic needs attention dot or general");
  CHECK(error([](Config& c) { c.rnn.context_feeding = Switch::kOn; }) ==
        "context-feeding needs attention none");
  const auto no_attention = [](Config& c) {
    c.rnn.attention = RnnAttention::kNone;
    c.rnn.input_feeding = Switch::kOff;
    c.rnn.context_feeding = Switch::kOn;
  };
  CHECK(error([&](Config& c) { no_attention(c); }) == "context-feeding needs bridge dense or mean");
  CHECK(error([&](Config& c) {
          no_attention(c);
          c.rnn.bridge = Bridge::kDense;
          c.rnn.readout = Readout::kMaxout;
          c.rnn.d_readout = 8;
        }).empty());
  CHECK(error([](Config& c) { c.rnn.bridge = Bridge::kReverse; }) ==
        "bridge reverse needs attention and a bidirectional top layer of the encoder");
  CHECK(error([](Config& c) {
          c.rnn.d_embedding = 620;
          c.rnn.tie = Tie::kAll;
        }) == "tie all needs an output of d-embedding 620, but it has 1000; use d-readout");
  CHECK(error([](Config& c) { c.decoder_layers = 2; }) ==
        "bridge copy needs as many decoder-layers as encoder-layers, got 2 and 4");
  CHECK(error([](Config& c) {
          c.rnn.bridge = Bridge::kDense;
          c.rnn.bidirectional = Bidirectional::kAll;
          c.rnn.attention = RnnAttention::kDot;
        }).starts_with("attention dot needs encoder outputs of d-model 1000"));
  CHECK(error([](Config& c) {
          c.decoder_start = model::DecoderStart::kToken;
          c.start_id = 10;
        }) == "start-id must be below 10, got 10");
  CHECK(error([](Config& c) { c.max_positions = 2000; }) ==
        "max-positions must be at most 1024, got 2000");
  CHECK(error([](Config& c) { c.rnn.d_embedding = 30; }) ==
        "d-embedding must be a multiple of 4, got 30");
}

TEST_CASE("bert-base has the parameters of BertForPreTraining") {
  Config config = preset("bert-base");
  config.vocabulary = 30522;
  nn::Parameters parameters;
  const Bert bert(config, parameters);
  CHECK(parameters.numbers() == 110'106'428);
  config.bert.task = Task::kClassify;
  config.bert.labels = {"no", "yes"};
  nn::Parameters fine_tuned;
  const Bert classifier(config, fine_tuned);
  CHECK(fine_tuned.numbers() == 109'482'240 + 2 * 768 + 2);
  config.bert.task = Task::kSpans;
  config.bert.labels.clear();
  nn::Parameters of_spans;
  const Bert answers(config, of_spans);
  CHECK(of_spans.numbers() == 108'893'186);  // BertForQuestionAnswering
  CHECK(text_kind_of(config) == TextKind::kSpans);
  CHECK(answers.part_of("span_bias") == Part::kHead);
  CHECK(answers.part_of("segments") == Part::kShared);
}

TEST_CASE("a BERT has its own settings, and those of a decoder are none of them") {
  Config config = preset("bert-tiny");
  config.vocabulary = 50;
  config.bert.task = Task::kTag;
  config.bert.labels = {",", "NN", "a=b"};
  const auto settings = to_settings(config);
  for (const char* name : {"decoder-layers", "tie", "positions", "cell"})
    CHECK_FALSE(settings.find(name));
  const Config back = from_settings(settings, "file");
  CHECK(back.bert.labels == config.bert.labels);
  CHECK(back.bert.task == Task::kTag);
  CHECK(back.decoder_layers == 0);
  CHECK(text_kind_of(back) == TextKind::kLabeled);
  config.bert.labels.clear();
  nn::Parameters parameters;
  CHECK(tests::message_of([&] { Bert(config, parameters); }) ==
        "a model that assigns labels needs the setting labels");
}

}  // namespace awend::model
