// Search, forced scoring and ensembles with an architecture that is not a Transformer.
#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "model/architectures.hpp"
#include "tests/catch.hpp"
#include "tests/properties/attentive_bigram.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

/// A model with random weights.
struct RandomModel {
  RandomModel(std::unique_ptr<model::Seq2Seq> (*make)(const model::Config&, nn::Parameters&),
              std::uint64_t seed)
      : seq2seq(make(small_config(), parameters)) {
    parameters.allocate(engine(), nn::Use::kInference);
    parameters.initialize(seed);
  }
  model::Seq2SeqView view() { return {&parameters, seq2seq.get()}; }

  nn::Parameters parameters;
  std::unique_ptr<model::Seq2Seq> seq2seq;
};

std::unique_ptr<model::Seq2Seq> make_bigram(const model::Config& config,
                                            nn::Parameters& parameters) {
  return std::make_unique<AttentiveBigram>(config, parameters);
}

/// Requires that `scorer` gives the translations the scores that the search gave them.
void check_scores(const decode::Ensemble& ensemble, decode::PairScorer& scorer) {
  const auto sentences = some_sentences();
  auto made = settings(3, 200);
  made.search.n_best = 3;
  decode::Translator translator(engine(), ensemble, made);
  const auto answers = translator.translate(sentences);
  std::vector<decode::SentencePair> pairs;
  std::vector<const decode::Hypothesis*> found;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const auto& hypothesis : answers[i]) {
      if (sentences[i].empty()) continue;
      pairs.push_back({sentences[i], hypothesis.ids});
      found.push_back(&hypothesis);
    }
  }
  const auto scores = scorer.scores(pairs);
  REQUIRE(scores.size() > 20);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t at = 0; at < found[i]->of_tokens.size(); ++at)
      REQUIRE(scores[i][at] == Approx(found[i]->of_tokens[at]).margin(1e-4));
  }
}

}  // namespace

TEST_CASE("another architecture is searched and scored by its interface") {
  RandomModel bigram(make_bigram, 11);
  decode::TeacherForcedScorer scorer(engine(), bigram.view(), {.end_of_sentence = 1});
  CHECK(scorer.fits(AttentiveBigram::kMaxTokens));
  CHECK_FALSE(scorer.fits(AttentiveBigram::kMaxTokens + 1));
  check_scores(decode::single_model(bigram.view()), scorer);
}

TEST_CASE("an ensemble has models of different architectures") {
  RandomModel bigram(make_bigram, 12), transformer(model::make_seq2seq, 13);
  const decode::Ensemble ensemble{.members = {bigram.view(), transformer.view()},
                                  .shares = {0.4, 0.6}};
  decode::StepwiseScorer scorer(engine(), ensemble, {});
  check_scores(ensemble, scorer);
}

}  // namespace awend::tests
