// Properties of ensembles.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

/// Three models of different sizes and shapes.
class Models {
 public:
  Models() {
    auto config = small_config();
    paths.push_back(random_checkpoint(scratch_.folder() + "/a", config, 5));
    config.d_model = 48;
    config.transformer.heads = 3;
    config.encoder_layers = 1;
    config.transformer.positions = model::Positions::kLearned;
    config.max_positions = 60;
    config.transformer.attention_window = 2;
    paths.push_back(random_checkpoint(scratch_.folder() + "/b", config, 6));
    config = small_config();
    config.decoder_layers = 3;
    config.transformer.tie = model::Tie::kNone;
    config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
    paths.push_back(random_checkpoint(scratch_.folder() + "/c", config, 7));
  }
  decode::Ensemble ensemble(const std::vector<std::size_t>& which,
                            const decode::EnsembleSettings& settings) const {
    std::vector<std::unique_ptr<decode::LoadedModel>> models;
    for (const std::size_t i : which) models.push_back(load(i));
    auto ensemble = decode::make_ensemble(models, settings);
    for (auto& model : models) loaded_.push_back(std::move(model));
    return ensemble;
  }
  decode::Translator translator(const std::vector<std::size_t>& which,
                                const decode::TranslatorSettings& settings,
                                const decode::EnsembleSettings& mixture = {}) const {
    return {engine(), ensemble(which, mixture), settings};
  }
  std::unique_ptr<decode::LoadedModel> load(std::size_t i) const {
    return std::make_unique<decode::LoadedModel>(engine(), store::ArrayFile(paths[i]),
                                                 nn::Element::kFloat32);
  }

  std::vector<std::string> paths;

 private:
  Scratch scratch_;
  mutable std::vector<std::unique_ptr<decode::LoadedModel>> loaded_;  // of the translators
};

void require_alike(const decode::Translator::Answer& a, const decode::Translator::Answer& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].ids == b[i].ids);
    REQUIRE(a[i].log_probability == Approx(b[i].log_probability).epsilon(1e-5).margin(1e-5));
  }
}

}  // namespace

TEST_CASE("an ensemble of a model with itself, or with models of weight 0, is the model") {
  const Models models;
  const auto sentences = some_sentences();
  auto made = settings(3, 200);
  made.search.n_best = 2;
  auto single = models.translator({0}, made);
  const auto alone = single.translate(sentences);
  for (const auto mixing : {nn::Mixing::kLinear, nn::Mixing::kLog}) {
    auto twice = models.translator({0, 0}, made, {.mixing = mixing});
    auto first = models.translator({0, 1}, made, {.mixing = mixing, .weights = {2, 0}});
    auto second = models.translator({1, 0, 2}, made, {.mixing = mixing, .weights = {0, 0.5, 0}});
    for (auto* both : {&twice, &first, &second}) {
      const auto together = both->translate(sentences);
      for (std::size_t i = 0; i < sentences.size(); ++i) require_alike(together[i], alone[i]);
    }
  }
}

TEST_CASE("an ensemble translates by the mixture of its models' distributions") {
  const Models models;
  const std::vector<double> weights = {0.5, 0.2, 0.3};
  std::vector<std::unique_ptr<WholeModel>> wholes;
  for (const auto& path : models.paths) wholes.push_back(std::make_unique<WholeModel>(path));
  for (const auto mixing : {nn::Mixing::kLinear, nn::Mixing::kLog}) {
    auto made = settings(1, 200);
    auto translator = models.translator({0, 1, 2}, made, {.mixing = mixing, .weights = {5, 2, 3}});
    const auto sentences = some_sentences();
    const auto answers = translator.translate(sentences);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (sentences[i].empty()) continue;
      const auto& [ids, log_probability, score, of_tokens] = answers[i][0];
      std::vector<std::vector<double>> mixed(ids.size() + 1, std::vector<double>(50, 0.0));
      for (std::size_t model = 0; model < wholes.size(); ++model) {
        const auto log_p = wholes[model]->log_probabilities(sentences[i], ids);
        for (std::size_t at = 0; at < mixed.size(); ++at) {
          for (std::size_t id = 0; id < 50; ++id) {
            mixed[at][id] +=
                weights[model] *
                (mixing == nn::Mixing::kLinear ? std::exp(log_p[at][id]) : log_p[at][id]);
          }
        }
      }
      for (auto& row : mixed) {
        double sum = 0;
        for (double& value : row) {
          if (mixing == nn::Mixing::kLog) value = std::exp(value);
          sum += value;
        }
        for (double& value : row) value = std::log(value / sum);
      }
      REQUIRE(log_probability_of(mixed, ids, of_tokens.size()) ==
              Approx(log_probability).epsilon(1e-4));
      for (std::size_t at = 0; at < of_tokens.size(); ++at)
        REQUIRE(of_tokens[at] == Approx(*std::ranges::max_element(mixed[at])).epsilon(1e-4));
    }
  }
}

TEST_CASE("forced scores of an ensemble's translations are those of its search") {
  const Models models;
  const auto sentences = some_sentences();
  for (const auto mixing : {nn::Mixing::kLinear, nn::Mixing::kLog}) {
    auto made = settings(3, 200);
    made.search.n_best = 3;
    const decode::EnsembleSettings mixture = {.mixing = mixing, .weights = {5, 2, 3}};
    const auto answers = models.translator({0, 1, 2}, made, mixture).translate(sentences);
    std::vector<decode::SentencePair> pairs;
    std::vector<const decode::Hypothesis*> found;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      for (const auto& hypothesis : answers[i]) {
        if (sentences[i].empty()) continue;
        pairs.push_back({sentences[i], hypothesis.ids});
        found.push_back(&hypothesis);
      }
    }
    decode::StepwiseScorer steps(engine(), models.ensemble({0, 1, 2}, mixture), {});
    // Learned positions of one model end at 60.
    CHECK(steps.fits(60));
    CHECK_FALSE(steps.fits(61));
    const auto scores = steps.scores(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      REQUIRE(scores[i].size() == pairs[i].target.size() + 1);
      for (std::size_t at = 0; at < found[i]->of_tokens.size(); ++at)
        REQUIRE(scores[i][at] == Approx(found[i]->of_tokens[at]).margin(1e-4));
    }
    REQUIRE(steps.scores(std::span(pairs).subspan(7, 1)).front() == scores[7]);
  }
}

TEST_CASE("a pass with a larger capacity is still limited by learned positions") {
  const Models models;
  decode::LoadedModel model(engine(), store::ArrayFile(models.paths[1]), nn::Element::kFloat32);
  decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
  const decode::SentencePair pair{{2, 3}, {4}};
  for (int round = 0; round < 2; ++round) {  // before and after it is compiled
    CHECK(scorer.fits(60));
    CHECK_FALSE(scorer.fits(61));
    CHECK(scorer.scores({&pair, 1}).front().size() == 2);
  }
}

TEST_CASE("translations of an ensemble do not depend on the batch, bit for bit") {
  const Models models;
  const auto sentences = some_sentences();
  auto wide = models.translator({0, 1}, settings(3, 500));
  auto narrow = models.translator({0, 1}, settings(3, 40));
  const auto together = wide.translate(sentences), in_small_batches = narrow.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    REQUIRE(same(together[i][0], wide.translate(std::span(&sentences[i], 1))[0][0]));
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
  }
}

TEST_CASE("invalid weights of an ensemble are refused") {
  const Models models;
  for (const std::vector<double>& weights : {std::vector<double>{1}, {0, 0}, {1, 2, 3}}) {
    REQUIRE_THROWS_AS(models.ensemble({0, 1}, {.weights = weights}), base::UsageError);
  }
  const Scratch scratch;
  std::vector<std::unique_ptr<decode::LoadedModel>> other;
  for (const std::uint32_t vocabulary : {50, 51}) {
    const auto path = random_checkpoint(scratch.folder() + "/v", small_config(vocabulary));
    other.push_back(std::make_unique<decode::LoadedModel>(engine(), store::ArrayFile(path),
                                                          nn::Element::kFloat32));
  }
  REQUIRE_THROWS_AS(decode::make_ensemble(other, {}), base::Error);
}

}  // namespace awend::tests
