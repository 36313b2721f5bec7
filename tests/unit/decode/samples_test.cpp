// Samples of one sentence, and the keys of their random numbers.
#include "decode/samples.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "decode/scheduler.hpp"
#include "tests/catch.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kEnd = 1;

SearchSettings drawing(std::uint32_t n) {
  return {.beam_size = n, .n_best = n, .sampling = SamplingSettings{}};
}

}  // namespace

TEST_CASE("samples are independent and end at their end of sentence") {
  Samples samples(drawing(3), 3, kEnd);
  REQUIRE(samples.live().size() == 3);
  samples.advance(std::vector<Candidate>{{5, -1}, {kEnd, -2}, {6, -3}});
  REQUIRE(samples.live().size() == 2);
  REQUIRE(samples.live()[1].parent == 2);
  REQUIRE(samples.live()[1].number == 2);
  samples.advance(std::vector<Candidate>{{7, -0.5}, {kEnd, -0.25}});
  samples.advance(std::vector<Candidate>{{8, -4}});
  REQUIRE(samples.done());
  const auto found = samples.results();
  REQUIRE(found.size() == 3);
  REQUIRE(found[0].ids == std::vector<std::uint32_t>{5, 7, 8});  // truncated by the limit
  REQUIRE(found[0].of_tokens == std::vector<float>{-1, -0.5, -4});
  REQUIRE(found[1].ids.empty());
  REQUIRE(found[2].ids == std::vector<std::uint32_t>{6});
  REQUIRE(found[2].log_probability == Approx(-3.25));
  REQUIRE(found[2].score == Approx(-3.25 / length_penalty(2, 0.6)));
}

TEST_CASE("samples of a fixed length have certain ends") {
  auto settings = drawing(2);
  settings.output_length = 1;
  Samples samples(settings, 9, kEnd);
  samples.advance(std::vector<Candidate>{{5, -1}, {6, -3}});
  REQUIRE(samples.done());
  const auto found = samples.results();
  CHECK(found[1].ids == std::vector<std::uint32_t>{6});
  CHECK(found[1].of_tokens == std::vector<float>{-3, 0});
  CHECK(found[1].score == Approx(-3 / length_penalty(2, 0.6)));
}

TEST_CASE("probabilities of samples that are not numbers are an error") {
  Samples samples(drawing(1), 3, kEnd);
  REQUIRE_THROWS_AS(samples.advance(std::vector<Candidate>{{5, std::nanf("")}}), base::Error);
}

TEST_CASE("a sample ends where the rules exclude all tokens") {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  auto settings = drawing(2);
  settings.rules.no_repeat_ngram = 1;
  Samples samples(settings, 9, kEnd);
  samples.advance(std::vector<Candidate>{{5, -1}, {batch::kNoToken, kNever}});
  samples.advance(std::vector<Candidate>{{5, kNever}});
  REQUIRE(samples.done());
  const auto found = samples.results();
  CHECK(found[0].ids == std::vector<std::uint32_t>{5});
  CHECK(found[0].score == Approx(-1 / length_penalty(1, 0.6)));
  CHECK(found[1].ids.empty());
  CHECK(found[1].score == 0);
  Samples broken(settings, 9, kEnd);
  const std::vector<Candidate> nan = {{5, std::nanf("")}, {5, -1}};
  REQUIRE_THROWS_AS(broken.advance(nan), base::Error);
}

TEST_CASE("each token of a sample has its own key") {
  std::set<std::array<std::uint32_t, 2>> keys;
  std::size_t places = 0;
  for (const std::uint64_t seed : {1, 2})
    for (const std::uint64_t line : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
      for (const std::uint32_t piece : {0, 1})
        for (const std::uint32_t hypothesis : {0, 1, 99})
          for (std::uint32_t position = 0; position < 20; ++position, ++places)
            keys.insert(random_key_of(seed, {line, piece, hypothesis, position}));
  REQUIRE(keys.size() == places);
}

}  // namespace awend::decode
