// Beam search over toy distributions, compared with an exhaustive search.
#include "decode/beam.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kEnd = 1;
using Ids = std::vector<std::uint32_t>;
using Model = std::function<std::vector<float>(const Ids&)>;  // prefix -> ln p of each id

/// Runs the search on a model.
std::vector<Hypothesis> search(const SearchSettings& settings, std::uint32_t longest,
                               const Model& model) {
  Beam beam(settings, longest, {.end_of_sentence = kEnd});
  while (!beam.done()) {
    std::vector<Candidate> candidates;
    for (const auto& living : beam.live()) {
      const auto log_p = model(living.hypothesis.ids);
      std::vector<Candidate> all;
      for (std::uint32_t id = 0; id < log_p.size(); ++id) all.push_back({id, log_p[id]});
      std::stable_sort(all.begin(), all.end(),
                       [](auto& a, auto& b) { return a.log_probability > b.log_probability; });
      all.resize(settings.candidates(), {0xffffffffu, 0.0f});
      candidates.insert(candidates.end(), all.begin(), all.end());
    }
    beam.advance(candidates);
  }
  return beam.results();
}

/// A model whose distribution is a pseudo-random function of the prefix.
std::vector<float> chance(const Ids& prefix) {
  std::uint64_t seed = 17;
  for (const std::uint32_t id : prefix) seed = seed * 31 + id + 1;
  base::Random random(seed);
  std::vector<float> weights(5);
  float sum = 0;
  for (float& weight : weights) sum += weight = 0.05f + random.uniform();
  for (float& weight : weights) weight = std::log(weight / sum);
  return weights;
}

/// The best of all outputs of at most `longest` tokens with ids from `first`, by exhaustive search.
Hypothesis best_of_all(std::uint32_t longest, double alpha, const Model& model = chance,
                       std::uint32_t first = 0) {
  Hypothesis best;
  best.score = -1e9;
  std::function<void(Ids, double)> visit = [&](const Ids& prefix, double log_probability) {
    const auto log_p = model(prefix);
    const auto length = static_cast<std::uint32_t>(prefix.size() + 1);
    const double finished = (log_probability + log_p[kEnd]) / length_penalty(length, alpha);
    if (finished > best.score) best = {prefix, log_probability + log_p[kEnd], finished};
    if (length == longest) return;
    for (std::uint32_t id = first; id < log_p.size(); ++id) {
      if (id == kEnd) continue;
      Ids next = prefix;
      next.push_back(id);
      visit(next, log_probability + log_p[id]);
    }
  };
  visit({}, 0);
  return best;
}

}  // namespace

TEST_CASE("the length penalty is the paper's") {
  REQUIRE(length_penalty(1, 0.6) == Approx(1));
  REQUIRE(length_penalty(7, 0.6, LengthPenalty::kPower) == Approx(std::pow(7.0, 0.6)));
  REQUIRE(length_penalty(7, 0.6) == Approx(std::pow(2.0, 0.6)));
  REQUIRE(length_penalty(100, 0) == Approx(1));
}

TEST_CASE("the longest output is the source's length and fifty more") {
  REQUIRE(SearchSettings{}.longest(10) == 60);
  REQUIRE(SearchSettings{.max_length_ratio = 2, .max_length_extra = 3}.longest(10) == 23);
  REQUIRE(SearchSettings{.max_length_ratio = 0, .max_length_extra = 0}.longest(10) == 1);
}

TEST_CASE("a beam as wide as the tree finds the best output of all") {
  for (const double alpha : {0.0, 0.6, 1.5}) {
    const auto found = search({.beam_size = 700, .alpha = alpha}, 5, chance);
    const auto best = best_of_all(5, alpha);
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].ids == best.ids);
    REQUIRE(found[0].score == Approx(best.score));
  }
}

TEST_CASE("an excluded unknown token leaves all other probabilities as they are") {
  // The unknown token is likely, the end is not.
  const auto model = [](const Ids& prefix) {
    auto log_p = chance(prefix);
    log_p[0] += 2;
    log_p[kEnd] -= prefix.size() < 3 ? 3.0f : 0.0f;
    return log_p;
  };
  const SearchSettings wide = {
      .beam_size = 700, .alpha = 0.6, .unknown_token = UnknownTokenUse::kExcluded};
  const auto found = search(wide, 5, model);
  const auto best = best_of_all(5, 0.6, model, 1);
  REQUIRE(found[0].ids == best.ids);
  REQUIRE(found[0].score == Approx(best.score));
  REQUIRE(best_of_all(5, 0.6, model).ids != best.ids);
  // Greedy search produces the second-best token instead.
  const auto greedy = [](const Ids& prefix) {
    return prefix.size() < 2 ? std::vector<float>{-0.1f, -9.0f, -3.0f, -4.0f}
                             : std::vector<float>{-9.0f, -0.1f, -3.0f, -4.0f};
  };
  SearchSettings narrow = {.beam_size = 1, .unknown_token = UnknownTokenUse::kExcluded};
  REQUIRE(search(narrow, 5, greedy)[0].ids == Ids{2, 2});
  // A forced token has no alternative.
  Beam forced(narrow, 5, {.end_of_sentence = kEnd});
  forced.advance(std::vector<Candidate>{{0, -1.0f}, {0xffffffffu, 0.0f}});
  REQUIRE(forced.live()[0].hypothesis.ids == Ids{0});
}

TEST_CASE("a search that stops early finds the same as one that continues to the longest output") {
  std::size_t shorter = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto model = [&](const Ids& prefix) {
      Ids seeded = {static_cast<std::uint32_t>(seed)};
      seeded.insert(seeded.end(), prefix.begin(), prefix.end());
      return chance(seeded);
    };
    for (const double alpha : {0.0, 0.6, 2.0}) {
      for (const std::uint32_t beam : {1, 2, 5}) {
        CAPTURE(seed, alpha, beam);
        std::size_t steps = 0, all_steps = 0;
        const auto counted = [&](std::size_t& count) {
          return [&](const Ids& prefix) {
            ++count;
            return model(prefix);
          };
        };
        const auto stopped = search({.beam_size = beam, .alpha = alpha}, 12, counted(steps));
        // More are requested than can finish, so this search does not stop early.
        const auto whole =
            search({.beam_size = beam, .alpha = alpha, .n_best = 1000}, 12, counted(all_steps));
        // Truncated hypotheses are used only if too few have ended, which is always the case here.
        auto best = std::ranges::find_if(
            whole, [](const auto& found) { return found.of_tokens.size() > found.ids.size(); });
        if (best == whole.end()) best = whole.begin();
        REQUIRE(stopped[0].ids == best->ids);
        REQUIRE(stopped[0].score == best->score);
        shorter += steps < all_steps ? 1 : 0;
      }
    }
  }
  REQUIRE(shorter > 200);
}

TEST_CASE("hypotheses that cannot win are not continued") {
  // Ends at once with ln p = -0.1.  Of the others, 2 may still win with the mildest penalty, 3 and
  // 4 may not.
  Beam beam({.beam_size = 4, .alpha = 0.6}, 50, {.end_of_sentence = kEnd});
  std::vector<Candidate> candidates = {{kEnd, -0.1f}, {2, -0.3f}, {3, -0.6f}, {4, -9.0f}};
  candidates.resize(8, {0xffffffffu, 0.0f});
  const double kindest = length_penalty(50, 0.6);
  REQUIRE(-0.3 / kindest > -0.1);
  REQUIRE(-0.6 / kindest < -0.1);
  beam.advance(candidates);
  REQUIRE(beam.live().size() == 1);
  REQUIRE(beam.live()[0].hypothesis.ids == Ids{2});
  // If two are requested, the others continue.
  Beam two({.beam_size = 4, .alpha = 0.6, .n_best = 2}, 50, {.end_of_sentence = kEnd});
  two.advance(candidates);
  REQUIRE(two.live().size() == 3);
}

TEST_CASE("a beam of one is greedy") {
  const auto found = search({.beam_size = 1, .alpha = 0}, 20, [](const Ids& prefix) {
    // 3 is best twice, then the end.
    return prefix.size() < 2 ? std::vector<float>{-3, -2, -4, -0.2f}
                             : std::vector<float>{-3, -0.1f, -4, -2};
  });
  REQUIRE(found[0].ids == Ids{3, 3});
  REQUIRE(found[0].log_probability == Approx(-0.2 - 0.2 - 0.1));
}

TEST_CASE("a beam of one does not take an end that is second best") {
  for (const double alpha : {0.0, 0.6}) {
    const auto found = search({.beam_size = 1, .alpha = alpha}, 20, [](const Ids& prefix) {
      // Ending at once would be more probable overall.
      return prefix.size() < 2 ? std::vector<float>{-4, -0.9f, -4, -0.6f}
                               : std::vector<float>{-3, -0.1f, -4, -2};
    });
    REQUIRE(found[0].ids == Ids{3, 3});
  }
}

TEST_CASE("n best come in order and differ") {
  const auto found = search({.beam_size = 4, .n_best = 4}, 6, chance);
  REQUIRE(found.size() == 4);
  for (std::size_t i = 1; i < found.size(); ++i) {
    REQUIRE(found[i - 1].score >= found[i].score);
    REQUIRE(found[i - 1].ids != found[i].ids);
  }
}

TEST_CASE("if nothing ends within the limit, the best live hypothesis is the answer") {
  const auto found = search(
      {.beam_size = 2}, 3, [](const Ids&) { return std::vector<float>{-1, -100, -2, -3, -4, -5}; });
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].ids == Ids{0, 0, 0});
}

TEST_CASE("probabilities that are not numbers are an error, not an empty answer") {
  const auto model = [](const Ids&) { return std::vector<float>(4, std::nanf("")); };
  REQUIRE_THROWS_AS(search({.beam_size = 2}, 3, model), base::Error);
}

TEST_CASE("a search ends where rules exclude all tokens") {
  SearchSettings settings{.beam_size = 2, .rules = {.no_repeat_ngram = 1}};
  const auto model = [](const Ids& prefix) {
    const float never = -std::numeric_limits<float>::infinity();
    return prefix.size() < 2 ? std::vector<float>{-1, never, -2} : std::vector<float>();
  };
  const auto found = search(settings, 9, model);
  REQUIRE(found.size() == 1);
  CHECK(found[0].ids == Ids{0, 0});
  CHECK(found[0].of_tokens == std::vector<float>{-1, -1});
  CHECK(found[0].score == Approx(-2 / length_penalty(2, settings.alpha)));
  // A finished hypothesis comes first.
  const auto finished = search(settings, 9, [](const Ids& prefix) {
    return prefix.empty() ? std::vector<float>{-0.5, -0.6f, -2} : std::vector<float>();
  });
  REQUIRE(finished.size() == 1);
  CHECK(finished[0].of_tokens == std::vector<float>{-0.6f});
  // It is an error of the model if there are no rules, or numbers.
  CHECK_THROWS_AS(search({.beam_size = 2}, 9, model), base::Error);
  CHECK_THROWS_AS(
      search(settings, 9, [](const Ids&) { return std::vector<float>(4, std::nanf("")); }),
      base::Error);
}

TEST_CASE("outputs of a fixed length have certain ends") {
  for (const std::uint32_t beam : {1, 3}) {
    SearchSettings settings{.beam_size = beam, .n_best = beam, .output_length = 1};
    const auto found = search(settings, 10, chance);
    REQUIRE(found.size() == beam);
    const auto log_p = chance({});
    double before = 0;
    for (const auto& hypothesis : found) {
      REQUIRE(hypothesis.ids.size() == 1);
      REQUIRE(hypothesis.ids[0] != kEnd);
      CHECK(hypothesis.of_tokens == std::vector<float>{log_p[hypothesis.ids[0]], 0});
      CHECK(hypothesis.log_probability == Approx(log_p[hypothesis.ids[0]]));
      CHECK(hypothesis.score == Approx(hypothesis.log_probability / length_penalty(2, 0.6)));
      if (before != 0) CHECK(hypothesis.score <= before);
      before = hypothesis.score;
    }
  }
}

}  // namespace awend::decode
