// Properties of recurrent networks that hold for any weights.
#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using model::RnnAttention;
using model::Switch;

model::Config small_rnn() {
  auto config = small_config();
  config.architecture = "rnn";
  config.max_positions = 64;
  config.rnn.d_embedding = 24;
  config.rnn.d_attention = 28;
  return config;
}

/// One network of each kind of decoder and cell.
std::vector<model::Config> variants() {
  auto plain = small_rnn();
  plain.rnn.cell = nn::Cell::kLstm;
  plain.rnn.attention = RnnAttention::kNone;
  plain.rnn.bidirectional = model::Bidirectional::kNone;
  plain.rnn.bridge = model::Bridge::kCopy;
  auto additive = small_rnn();
  additive.rnn.residual = Switch::kOn;
  auto deep = additive;
  deep.rnn.cell = nn::Cell::kLstm;
  deep.rnn.bidirectional = model::Bidirectional::kFirst;
  deep.encoder_layers = deep.decoder_layers = 3;
  auto general = small_rnn();
  general.rnn.attention = RnnAttention::kGeneral;
  auto feeding = plain;
  feeding.rnn.attention = RnnAttention::kDot;
  feeding.rnn.input_feeding = Switch::kOn;
  feeding.decoder_start = model::DecoderStart::kToken;
  feeding.start_id = 3;
  feeding.rnn.residual = Switch::kOn;
  // As Marian's recurrent models.
  auto conditional = small_rnn();
  conditional.rnn.bridge = model::Bridge::kMean;
  conditional.rnn.conditional_cell = Switch::kOn;
  conditional.rnn.d_readout = conditional.rnn.d_embedding;
  conditional.rnn.tie = model::Tie::kAll;
  // As Cho et al.
  auto summary = small_rnn();
  summary.rnn.attention = RnnAttention::kNone;
  summary.rnn.bidirectional = model::Bidirectional::kNone;
  summary.rnn.context_feeding = Switch::kOn;
  summary.rnn.readout = model::Readout::kMaxout;
  summary.rnn.d_readout = 20;
  auto maxout = additive;
  maxout.rnn.bridge = model::Bridge::kReverse;
  maxout.rnn.readout = model::Readout::kMaxout;
  // As Sutskever et al.
  auto reversed = plain;
  reversed.rnn.source_order = model::SourceOrder::kReversed;
  // As Luong et al.
  auto monotonic = general;
  monotonic.rnn.attention_span = model::AttentionSpan::kMonotonic;
  monotonic.rnn.local_window = 2;
  monotonic.rnn.source_order = model::SourceOrder::kReversed;
  auto predictive = feeding;
  predictive.rnn.attention_span = model::AttentionSpan::kPredictive;
  predictive.rnn.local_window = 3;
  return {plain,   additive, deep,     general,   feeding,   conditional,
          summary, maxout,   reversed, monotonic, predictive};
}

std::string checkpoint(const Scratch& scratch, const model::Config& config) {
  return random_checkpoint(scratch.folder() + "/model", config);
}

struct Found {
  std::vector<decode::SentencePair> pairs;
  std::vector<std::vector<float>> scores;  // of the search
};

Found translations(decode::Translator& translator) {
  const auto sentences = some_sentences();
  const auto answers = translator.translate(sentences);
  Found found;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const auto& hypothesis : answers[i]) {
      if (sentences[i].empty()) continue;
      found.pairs.push_back({sentences[i], hypothesis.ids});
      found.scores.emplace_back(hypothesis.of_tokens.begin(), hypothesis.of_tokens.end());
    }
  }
  REQUIRE(found.pairs.size() > 15);
  return found;
}

/// Truncated hypotheses have no score of their end.
void require_close(const Found& found, const std::vector<std::vector<float>>& scores) {
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    for (std::size_t at = 0; at < found.scores[i].size(); ++at)
      REQUIRE(scores[i][at] == Approx(found.scores[i][at]).margin(2e-5));
  }
}

}  // namespace

TEST_CASE("a translation by a recurrent network does not depend on batch and order, bit for bit") {
  for (const auto& config : variants()) {
    const Scratch scratch;
    const store::ArrayFile file(checkpoint(scratch, config));
    require_batch_invariance(file, some_sentences(), 40);
  }
}

TEST_CASE("forced scores of a recurrent network are those of its search, whatever the batch") {
  for (const auto& config : variants()) {
    const Scratch scratch;
    const store::ArrayFile file(checkpoint(scratch, config));
    auto made = settings(3, 300);
    made.search.n_best = 3;
    LoadedTranslator translator(file, made);
    const auto found = translations(translator);
    decode::LoadedModel model(engine(), file, nn::Element::kFloat32);
    decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
    const auto scores = scorer.scores(found.pairs);
    require_close(found, scores);
    for (std::size_t i = 0; i < found.pairs.size(); i += 9)
      REQUIRE(scorer.scores(std::span(found.pairs).subspan(i, 1)).front() == scores[i]);
    decode::StepwiseScorer steps(engine(), decode::single_model(model.view()), {});
    require_close(found, steps.scores(found.pairs));
    CHECK(scorer.fits(config.max_positions));
    CHECK_FALSE(scorer.fits(config.max_positions + 1));
  }
}

TEST_CASE("a network that reads the source reversed is one that reads a reversed source") {
  auto configs = variants();
  std::erase_if(configs, [](const auto& config) {
    // Local attention is near positions of the text, whatever the order.
    return config.rnn.source_order == model::SourceOrder::kReversed ||
           config.rnn.attention_span != model::AttentionSpan::kGlobal;
  });
  for (auto config : configs) {
    const Scratch scratch;
    std::vector<decode::SentencePair> pairs, mirrored;
    for (const auto& source : some_sentences()) {
      pairs.push_back({source, {4, 7, 3}});
      mirrored.push_back({{source.rbegin(), source.rend()}, {4, 7, 3}});
    }
    const auto scores_of = [&](const std::vector<decode::SentencePair>& of) {
      decode::LoadedModel model(engine(), store::ArrayFile(checkpoint(scratch, config)),
                                nn::Element::kFloat32);
      decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
      decode::StepwiseScorer steps(engine(), decode::single_model(model.view()), {});
      auto scores = scorer.scores(of);
      const auto of_steps = steps.scores(of);
      for (std::size_t i = 0; i < of.size(); ++i)
        scores[i].insert(scores[i].end(), of_steps[i].begin(), of_steps[i].end());
      return scores;
    };
    // Attention refers to the tokens in the order of the text.
    const auto weights_of = [&](const decode::SentencePair& of) {
      decode::LoadedModel model(engine(), store::ArrayFile(checkpoint(scratch, config)),
                                nn::Element::kFloat32);
      decode::TeacherForcedScorer scorer(
          engine(), model.view(),
          {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
      const auto attention = scorer.attention(of);
      std::vector<std::vector<float>> rows;
      for (std::uint32_t row = 0; attention.cross.layers > 0 && row <= of.target.size(); ++row) {
        const auto weights = attention.cross.row(0, 0, row);
        rows.emplace_back(weights.begin(), weights.end());
      }
      return rows;
    };
    const decode::SentencePair pair{{5, 6, 7, 8, 2}, {9, 3, 2}}, mirror{{2, 8, 7, 6, 5}, {9, 3, 2}};
    const auto expected = scores_of(mirrored), forward = scores_of(pairs);
    auto expected_weights = weights_of(mirror);
    config.rnn.source_order = model::SourceOrder::kReversed;
    const auto scores = scores_of(pairs);
    bool differ = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t at = 0; at < scores[i].size(); ++at) {
        REQUIRE(scores[i][at] == Approx(expected[i][at]).margin(2e-5));
        differ |= std::abs(scores[i][at] - forward[i][at]) > 1e-4;
      }
    }
    CHECK(differ);
    const auto weights = weights_of(pair);
    REQUIRE(weights.size() == expected_weights.size());
    for (std::size_t row = 0; row < weights.size(); ++row) {
      std::reverse(expected_weights[row].begin(), expected_weights[row].end() - 1);
      for (std::size_t at = 0; at < weights[row].size(); ++at)
        CHECK(weights[row][at] == Approx(expected_weights[row][at]).margin(2e-5));
    }
  }
}

TEST_CASE("an ensemble of recurrent networks and a Transformer scores its own translations") {
  const Scratch scratch;
  std::vector<std::unique_ptr<decode::LoadedModel>> models;
  auto configs = variants();
  configs.push_back(small_config());
  for (std::size_t i = 0; i < configs.size(); i += 2) {
    const auto path = random_checkpoint(base::concat(scratch.folder(), "/model", i), configs[i], i);
    models.push_back(std::make_unique<decode::LoadedModel>(engine(), store::ArrayFile(path),
                                                           nn::Element::kFloat32));
  }
  models.push_back(std::make_unique<decode::LoadedModel>(
      engine(), store::ArrayFile(random_checkpoint(scratch.folder() + "/t", configs.back())),
      nn::Element::kFloat32));
  decode::Translator translator(engine(), decode::make_ensemble(models, {}), settings(3, 300));
  const auto found = translations(translator);
  decode::StepwiseScorer steps(engine(), decode::make_ensemble(models, {}), {});
  require_close(found, steps.scores(found.pairs));
}

TEST_CASE("monotonic attention is near the position of the target token") {
  for (auto config : variants()) {
    if (config.rnn.attention_span != model::AttentionSpan::kMonotonic) continue;
    const Scratch scratch;
    decode::LoadedModel model(engine(), store::ArrayFile(checkpoint(scratch, config)),
                              nn::Element::kFloat32);
    decode::TeacherForcedScorer scorer(
        engine(), model.view(),
        {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
    const auto attention = scorer.attention({{5, 6, 7, 8, 2}, {9, 3, 2, 4, 4, 4, 4}});
    for (std::uint32_t row = 0; row < 8; ++row) {
      const auto weights = attention.cross.row(0, 0, row);
      REQUIRE(weights.size() == 6);
      const int center = std::min(static_cast<int>(row), 5);
      for (int at = 0; at < 6; ++at) {
        CAPTURE(row, at);
        CHECK((weights[static_cast<std::size_t>(at)] > 0) == (std::abs(at - center) <= 2));
      }
    }
  }
}

TEST_CASE("the attention of a recurrent network is one head of a distribution over the source") {
  for (const auto& config : variants()) {
    const Scratch scratch;
    decode::LoadedModel model(engine(), store::ArrayFile(checkpoint(scratch, config)),
                              nn::Element::kFloat32);
    decode::TeacherForcedScorer scorer(
        engine(), model.view(),
        {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
    const auto attention = scorer.attention({{5, 6, 7, 8}, {9, 3, 2}});
    CHECK(attention.encoder.layers == 0);
    CHECK(attention.decoder.layers == 0);
    const bool attends = config.rnn.attention != RnnAttention::kNone;
    CHECK(scorer.attention_layout().decoder_layers == (attends ? 1 : 0));
    REQUIRE(attention.cross.layers == (attends ? 1 : 0));
    if (!attends) continue;
    CHECK(attention.cross.heads == 1);
    for (std::uint32_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (const float weight : attention.cross.row(0, 0, row)) sum += weight;
      // Around a predicted position, weights are smaller than those of a distribution.
      const bool is_distribution = config.rnn.attention_span != model::AttentionSpan::kPredictive;
      if (is_distribution) CHECK(sum == Approx(1).epsilon(1e-5));
      CHECK(sum > 0.1);
      CHECK(sum < 1 + 1e-5);
    }
  }
}

}  // namespace awend::tests
