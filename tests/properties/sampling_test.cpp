// Properties of sampling, on a small model.
#include "tests/reference/sampling.hpp"

#include <cmath>
#include <map>

#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

decode::TranslatorSettings drawing(std::uint32_t n, const decode::SamplingSettings& sampling,
                                   std::uint32_t batch_tokens = 200) {
  auto made = settings(n, batch_tokens);
  made.search.n_best = n;
  made.search.sampling = sampling;
  return made;
}

/// The probability of each output of at most two tokens, the end included.
std::map<Sentence, double> exact_tree(WholeModel& whole, const Sentence& source,
                                      const reference::SamplingRule& rule) {
  std::map<Sentence, double> tree;
  const auto first = reference::drawn_from(whole.log_probabilities(source, {})[0], rule);
  for (std::uint32_t id = 0; id < first.size(); ++id) {
    if (first[id] == 0) continue;
    if (id == 1) {
      tree[{}] += first[1];
      continue;
    }
    const auto second = reference::drawn_from(whole.log_probabilities(source, {id})[1], rule);
    for (std::uint32_t next = 0; next < second.size(); ++next) {
      if (second[next] == 0) continue;
      tree[next == 1 ? Sentence{id} : Sentence{id, next}] += first[id] * second[next];
    }
  }
  return tree;
}

}  // namespace

TEST_CASE("samples follow the distribution of the model") {
  const Scratch scratch;
  const auto path = random_checkpoint(scratch.folder() + "/model", small_config(7));
  WholeModel whole(path);
  const store::ArrayFile checkpoint(path);
  const Sentence source = {3, 5, 2};
  for (const auto& [temperature, top_k, top_p] :
       {std::tuple{1.0, 0, 1.0}, {0.5, 0, 1.0}, {1.0, 3, 1.0}, {1.5, 5, 0.7}}) {
    CAPTURE(temperature, top_k, top_p);
    const auto k = static_cast<std::uint32_t>(top_k);
    const auto tree = exact_tree(whole, source, {temperature, k, top_p});
    auto made = drawing(100, {temperature, k, top_p, 17});
    made.search.max_length_ratio = 0;
    made.search.max_length_extra = 2;
    LoadedTranslator translator(checkpoint, made);
    constexpr std::size_t kLines = 60;
    std::map<Sentence, double> counts;
    for (const auto& answer : translator.translate(std::vector<Sentence>(kLines, source)))
      for (const auto& hypothesis : answer) counts[hypothesis.ids] += 1;
    // Pearson's statistic; outputs expected less than five times are merged.
    double statistic = 0, rare_expected = 0, rare_seen = 0, freedom = -1;
    for (const auto& [ids, probability] : tree) {
      const double expected = probability * 100 * kLines, seen = counts[ids];
      if (expected < 5) {
        rare_expected += expected;
        rare_seen += seen;
      } else {
        statistic += (seen - expected) * (seen - expected) / expected;
        ++freedom;
      }
    }
    if (rare_expected > 0) {
      statistic += (rare_seen - rare_expected) * (rare_seen - rare_expected) / rare_expected;
      ++freedom;
    }
    CAPTURE(statistic, freedom);
    // Three standard deviations above the mean, which one seed in hundreds exceeds.
    REQUIRE(freedom > 1);
    REQUIRE(statistic < freedom + 3 * std::sqrt(2 * freedom));
    for (const auto& [ids, count] : counts) REQUIRE((count == 0 || tree.count(ids) == 1));
  }
}

TEST_CASE("sampling from one token, or with temperature 0, is greedy search") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  const auto sentences = some_sentences();
  LoadedTranslator greedy(checkpoint, settings(1, 200));
  const auto expected = greedy.translate(sentences);
  for (const decode::SamplingSettings& sampling : {decode::SamplingSettings{.temperature = 0},
                                                   {.temperature = 1e-5},
                                                   {.temperature = 2e-39},
                                                   {.top_k = 1},
                                                   {.top_p = 1e-6}}) {
    LoadedTranslator translator(checkpoint, drawing(1, sampling));
    const auto drawn = translator.translate(sentences);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      REQUIRE(drawn[i][0].ids == expected[i][0].ids);
      REQUIRE(drawn[i][0].log_probability == Approx(expected[i][0].log_probability).epsilon(1e-5));
    }
  }
}

TEST_CASE("a sample depends only on seed, line and number, bit for bit") {
  const Scratch scratch;
  const auto path = random_checkpoint(scratch.folder() + "/model", small_config());
  const store::ArrayFile checkpoint(path);
  const auto sentences = some_sentences();
  const decode::SamplingSettings sampling{.temperature = 1.2, .top_p = 0.95, .seed = 9};
  LoadedTranslator wide(checkpoint, drawing(4, sampling, 500));
  LoadedTranslator narrow(checkpoint, drawing(4, sampling, 40));
  LoadedTranslator single(checkpoint, drawing(1, sampling));
  const auto together = wide.translate(sentences), few = narrow.translate(sentences),
             one = single.translate(sentences);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (std::size_t n = 0; n < together[i].size(); ++n) {
      REQUIRE(same(together[i][n], few[i][n]));
      if (n > 0) differ += together[i][n].ids != together[i][0].ids ? 1 : 0;
    }
    REQUIRE(same(together[i][0], one[i][0]));  // the first of several is the same as a single one
  }
  REQUIRE(differ > sentences.size());
  // Other sentences in the batch change nothing, another line number does.
  auto others = sentences;
  for (std::size_t i = 0; i < others.size(); i += 2) others[i].assign(15, 7);
  LoadedTranslator beside(checkpoint, drawing(4, sampling));
  const auto answers = beside.translate(others);
  for (std::size_t i = 1; i < others.size(); i += 2)
    for (std::size_t n = 0; n < answers[i].size(); ++n)
      REQUIRE(same(answers[i][n], together[i][n]));
  const auto again = wide.translate(sentences);  // line numbers continue
  REQUIRE(again[8][0].ids != together[8][0].ids);
  // ln P is the model's, whatever the temperature.
  WholeModel whole(path);
  const auto& [ids, log_probability, score, of_tokens] = together[8][1];
  REQUIRE(log_probability_of(whole.log_probabilities(sentences[8], ids), ids, of_tokens.size()) ==
          Approx(log_probability).epsilon(1e-4));
}

TEST_CASE("pieces of a long line are sampled independently for each sample") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  LoadedTranslator translator(checkpoint, drawing(3, {.seed = 4}));
  const std::vector<Sentence> line = {Sentence(2 * translator.longest_piece(), 9)};
  const auto answer = translator.translate(line)[0];
  REQUIRE(answer.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& ids = answer[i].ids;
    double sum = 0;
    for (const float of_token : answer[i].of_tokens) sum += of_token;
    REQUIRE(answer[i].log_probability == Approx(sum));
    // Equal pieces get different samples.
    REQUIRE(Sentence(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2)) !=
            Sentence(ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2), ids.end()));
  }
}

}  // namespace awend::tests
