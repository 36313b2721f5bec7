// Memory networks equal their reference, and have properties that hold for any weights.
#include <set>

#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/properties/memory_reference.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using model::HopTying;
using model::Switch;

// Ids that end sentences and questions.
constexpr std::uint32_t kSentenceEnd = 2, kQuestionEnd = 3;

model::Config small_memory(HopTying tying) {
  auto config = small_config();
  config.architecture = "memory";
  config.d_model = 20;
  config.max_positions = 64;
  config.memory.tying = tying;
  config.memory.size = 4;
  config.memory.sentence_end_id = kSentenceEnd;
  config.memory.question_end_id = kQuestionEnd;
  return config;
}

std::vector<model::Config> variants() {
  auto adjacent = small_memory(HopTying::kAdjacent);
  auto linear = adjacent;
  linear.memory.linear_start = 1;
  auto layer_wise = small_memory(HopTying::kLayerWise);
  layer_wise.memory.hops = 2;
  auto bags = small_memory(HopTying::kAdjacent);
  bags.memory.encoding = nn::BagWeights::kOne;
  bags.memory.temporal_encoding = Switch::kOff;
  bags.memory.hops = 1;
  return {adjacent, linear, layer_wise, bags};
}

std::string checkpoint(const Scratch& scratch, const model::Config& config) {
  return random_checkpoint(scratch.folder() + "/model", config);
}

/// Lines of up to seven sentences, some of which are empty, and a question.
std::vector<Sentence> some_stories() {
  base::Random random(4);
  const auto word = [&] { return 4 + random.below(46); };
  std::vector<Sentence> lines;
  for (std::size_t i = 0; i < 24; ++i) {
    Sentence line;
    for (std::size_t sentence = 0; sentence < i % 8; ++sentence) {
      const std::uint32_t words = random.below(4);
      for (std::uint32_t w = 0; w < words; ++w) line.push_back(word());
      line.push_back(kSentenceEnd);
    }
    for (std::uint32_t w = 0; w < 1 + random.below(3); ++w) line.push_back(word());
    if (i % 3 != 0) line.push_back(kQuestionEnd);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("a memory network equals its reference") {
  const std::vector<Sentence> story = {{10, 11}, {12, 13, 14}, {15}, {11, 10, 16, 17}, {18, 12}};
  const Sentence question = {20, 11, 12};
  Sentence line;
  for (const auto& sentence : story) {
    line.insert(line.end(), sentence.begin(), sentence.end());
    line.push_back(kSentenceEnd);
  }
  line.insert(line.end(), question.begin(), question.end());
  line.push_back(kQuestionEnd);
  for (const auto& config : variants()) {
    const Scratch scratch;
    decode::LoadedModel model(engine(), store::ArrayFile(checkpoint(scratch, config)),
                              nn::Element::kFloat32);
    const MemoryReference reference(config, model.parameters());
    decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
    const auto expected = reference.log_probabilities(story, question);
    std::vector<decode::SentencePair> pairs = {{line, {}}, {line, {30, 31}}};
    for (const std::uint32_t answer : {30, 31, 40}) pairs.push_back({line, {answer}});
    const auto scores = scorer.scores(pairs);
    for (std::size_t i = 2; i < pairs.size(); ++i) {
      REQUIRE(scores[i].size() == 2);
      CHECK(scores[i][0] == Approx(expected[pairs[i].target[0]]).margin(2e-5));
      CHECK(scores[i][1] == 0);
    }
    // The end follows one token, neither none nor two.
    CHECK(scores[0] == std::vector<float>(1, decode::kImpossible));
    CHECK(scores[1] == std::vector<float>(3, decode::kImpossible));
  }
}

TEST_CASE("an answer of a memory network does not depend on batch and order, bit for bit") {
  for (const auto& config : variants()) {
    const Scratch scratch;
    const store::ArrayFile file(checkpoint(scratch, config));
    require_batch_invariance(file, some_stories(), 60);
  }
}

TEST_CASE("forced scores of a memory network are those of its search") {
  for (const auto& config : variants()) {
    const Scratch scratch;
    const store::ArrayFile file(checkpoint(scratch, config));
    LoadedTranslator translator(file, settings(3, 300));
    decode::LoadedModel model(engine(), file, nn::Element::kFloat32);
    decode::TeacherForcedScorer scorer(engine(), model.view(), {.end_of_sentence = 1});
    decode::StepwiseScorer steps(engine(), decode::single_model(model.view()), {});
    const auto lines = some_stories();
    const auto answers = translator.translate(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].size() > 20) continue;  // answered in pieces
      const auto& best = answers[i][0];
      REQUIRE(best.ids.size() == 1);
      REQUIRE(best.of_tokens.size() == 2);
      REQUIRE(best.of_tokens[1] == 0);
      const std::vector<decode::SentencePair> pair = {{lines[i], best.ids}};
      const auto forced = scorer.scores(pair).front(), stepwise = steps.scores(pair).front();
      for (std::size_t at = 0; at < best.of_tokens.size(); ++at) {
        REQUIRE(forced[at] == Approx(best.of_tokens[at]).margin(2e-5));
        REQUIRE(stepwise[at] == Approx(best.of_tokens[at]).margin(2e-5));
      }
    }
  }
}

TEST_CASE("the n best answers of a memory network are different tokens") {
  const Scratch scratch;
  const store::ArrayFile file(checkpoint(scratch, variants().front()));
  auto many = settings(6, 300);
  many.search.n_best = 6;
  LoadedTranslator translator(file, many);
  for (const auto& line : some_stories()) {
    if (line.size() > 20 || line.empty()) continue;
    const auto answers = translator.translate(std::vector<Sentence>{line}).front();
    REQUIRE(answers.size() == 6);
    std::set<Sentence> different;
    for (const auto& answer : answers) {
      REQUIRE(answer.ids.size() == 1);
      different.insert(answer.ids);
    }
    REQUIRE(different.size() == 6);
  }
}

TEST_CASE("a memory network and a Transformer are not an ensemble") {
  const Scratch scratch;
  std::vector<std::unique_ptr<decode::LoadedModel>> models;
  for (const auto& config : {variants().front(), small_config()}) {
    const auto path = random_checkpoint(scratch.folder() + "/" + config.architecture, config);
    models.push_back(std::make_unique<decode::LoadedModel>(engine(), store::ArrayFile(path),
                                                           nn::Element::kFloat32));
  }
  CHECK(message_of([&] { decode::make_ensemble(models, {}); }) ==
        "a memory network cannot be combined with other architectures");
}

TEST_CASE("an ensemble of memory networks scores its own answers") {
  const Scratch scratch;
  std::vector<std::unique_ptr<decode::LoadedModel>> models;
  const auto configs = variants();
  for (std::size_t i = 0; i < configs.size(); i += 2) {
    const auto path = random_checkpoint(base::concat(scratch.folder(), "/model", i), configs[i], i);
    models.push_back(std::make_unique<decode::LoadedModel>(engine(), store::ArrayFile(path),
                                                           nn::Element::kFloat32));
  }
  decode::Translator translator(engine(), decode::make_ensemble(models, {}), settings(3, 300));
  decode::StepwiseScorer steps(engine(), decode::make_ensemble(models, {}), {});
  const std::vector<Sentence> lines = {{10, 11, kSentenceEnd, 12, kQuestionEnd}};
  const auto best = translator.translate(lines)[0][0];
  const auto scores = steps.scores(std::vector<decode::SentencePair>{{lines[0], best.ids}}).front();
  for (std::size_t at = 0; at < best.of_tokens.size(); ++at)
    REQUIRE(scores[at] == Approx(best.of_tokens[at]).margin(2e-5));
}

}  // namespace awend::tests
