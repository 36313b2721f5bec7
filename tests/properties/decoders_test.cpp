// Several decoders on the processor give the same answers as one, bit for bit.
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "decode/ensemble.hpp"
#include "decode/parallel_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/properties/random_shortlist.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {
namespace {

using Answers = std::vector<decode::Translator::Answer>;

/// Lengths and order differ, and some sentences are empty.
std::vector<Sentence> many_sentences() {
  std::vector<Sentence> sentences;
  for (int i = 0; i < 6; ++i) {
    for (auto& sentence : some_sentences()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

/// Models on the processor with a number of threads.
class OnThreads {
 public:
  OnThreads(unsigned threads, const std::vector<std::string>& checkpoints)
      : engine_({.requested = nn::kProcessor, .threads = threads}) {
    for (const auto& path : checkpoints) {
      models_.push_back(std::make_unique<decode::LoadedModel>(engine_, store::ArrayFile(path),
                                                              nn::Element::kFloat32));
    }
  }
  /// Products compute with 8-bit integers.
  void quantize() {
    for (const auto& model : models_) model->parameters().set_quantized();
  }
  decode::Translator translator(const decode::TranslatorSettings& settings) {
    return {engine_, decode::make_ensemble(models_, {}), settings};
  }
  decode::ParallelScorer scorer() { return {engine_, models_.front()->view(), 1}; }

 private:
  nn::Engine engine_;
  std::vector<std::unique_ptr<decode::LoadedModel>> models_;
};

/// Sentences arrive in groups of random sizes, between steps.
Answers in_groups(decode::Translator& translator, const std::vector<Sentence>& sentences,
                  std::uint64_t seed) {
  base::Random random(seed);
  Answers answers;
  for (std::size_t next = 0; next < sentences.size() || translator.has_work();) {
    for (auto count = random.below(9); count > 0 && next < sentences.size(); --count)
      translator.put(sentences[next++]);
    for (auto steps = random.below(4); steps > 0 && translator.has_work(); --steps)
      translator.step();
    while (auto answer = translator.take()) answers.push_back(std::move(*answer));
  }
  return answers;
}

void require_same(const Answers& a, const Answers& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    REQUIRE(a[i].size() == b[i].size());
    for (std::size_t rank = 0; rank < a[i].size(); ++rank) REQUIRE(same(a[i][rank], b[i][rank]));
  }
}

/// One model, an ensemble, integers, a sampling and shortlists.
struct Case {
  std::vector<std::string> checkpoints;
  decode::TranslatorSettings settings = tests::settings(3, 100);
  bool is_quantized = false;
};

std::vector<Case> cases(const Scratch& scratch, const decode::SentenceShortlist& lexical) {
  auto other = small_config();
  other.architecture = "rnn";
  other.max_positions = 64;
  other.rnn.d_embedding = other.rnn.d_attention = 24;
  const auto first = random_checkpoint(scratch.folder() + "/first", small_config());
  const auto second = random_checkpoint(scratch.folder() + "/second", other, 6);
  std::vector<Case> made(9);
  made[0].checkpoints = {first};
  made[0].settings.search.n_best = 3;
  made[1].checkpoints = {second};
  made[2].checkpoints = {first, second};
  made[3].checkpoints = {first};
  made[3].is_quantized = true;
  made[4].checkpoints = {first};
  made[4].settings.search.sampling = decode::SamplingSettings{.top_k = 10, .seed = 7};
  made[4].settings.search.n_best = 2;
  decode::complete_sampling(made[4].settings.search);
  made[5].checkpoints = {first};
  made[5].settings.shortlist = {40, 7, 12, 33, 8, 20, 21};
  for (const int number : {6, 7, 8}) made[number].settings.sentence_shortlist = &lexical;
  made[6].checkpoints = {first};
  made[6].is_quantized = true;
  made[7].checkpoints = {first, second};
  made[8].checkpoints = {second};
  made[8].settings.search.beam_size = 1;
  return made;
}

}  // namespace

TEST_CASE("a translation does not depend on the number of decoders, bit for bit", "[processor]") {
  const Scratch scratch;
  const auto sentences = many_sentences();
  const auto lexical = random_shortlist();
  for (const auto& [checkpoints, settings, is_quantized] : cases(scratch, lexical)) {
    std::optional<Answers> expected;
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
      CAPTURE(checkpoints.front(), checkpoints.size(), is_quantized, threads);
      OnThreads stage(threads, checkpoints);
      if (is_quantized) stage.quantize();
      auto translator = stage.translator(settings);
      CHECK(translator.decoders() == threads);
      const auto answers = translator.translate(sentences);
      if (!expected) expected = answers;
      require_same(answers, *expected);
      if (settings.search.sampling) continue;  // later sentences have other random numbers
      for (const std::uint64_t seed : {1, 2})
        require_same(in_groups(translator, sentences, seed), *expected);
    }
  }
}

TEST_CASE("scores of given translations do not depend on the number of threads, bit for bit",
          "[processor]") {
  const Scratch scratch;
  const std::vector<std::string> checkpoints = {
      random_checkpoint(scratch.folder() + "/model", small_config())};
  std::vector<decode::SentencePair> pairs;
  const auto sentences = many_sentences();
  for (std::size_t i = 0; i < sentences.size(); ++i)
    pairs.push_back({sentences[i], sentences[(i + 5) % sentences.size()]});
  // Longer than a batch of each of many scorers.
  pairs[7].source.assign(1200, 3);
  pairs[8].target.assign(1500, 4);
  std::optional<std::vector<std::vector<float>>> expected;
  for (const unsigned threads : {1, 2, 3, 5}) {
    CAPTURE(threads);
    OnThreads stage(threads, checkpoints);
    auto scorer = stage.scorer();
    CHECK(scorer.scores({}).empty());
    CHECK(scorer.fits(1501));
    const auto first = scorer.scores({pairs.data(), 1});
    const auto all = scorer.scores(pairs);
    REQUIRE(all.size() == pairs.size());
    CHECK(all.front() == first.front());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      REQUIRE(all[i].size() == pairs[i].target.size() + 1);
    if (!expected) expected = all;
    CHECK(all == *expected);
    CHECK(scorer.scores(std::span(pairs).first(3)).back() == (*expected)[2]);
  }
}

TEST_CASE("decoders that nobody waits for end with the translator", "[processor]") {
  const Scratch scratch;
  OnThreads stage(4, {random_checkpoint(scratch.folder() + "/model", small_config())});
  for (int steps = 0; steps < 4; ++steps) {
    auto translator = stage.translator(settings(3, 100));
    for (const auto& sentence : many_sentences()) translator.put(sentence);
    for (int i = 0; i < steps; ++i) translator.step();
  }
  SUCCEED("none waits for ever");
}

}  // namespace awend::tests
