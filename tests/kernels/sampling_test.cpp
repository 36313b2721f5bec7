// Random samples of tokens on the device compared with the same samples in double precision.
#include "nn/sampling.hpp"

#include <limits>

#include "tests/kernels/bench.hpp"
#include "tests/reference/loss.hpp"
#include "tests/reference/sampling.hpp"

namespace awend::tests {
namespace {

struct Drawn {
  std::vector<std::uint32_t> ids;
  std::vector<float> log_probabilities;
};

/// Row r is sampled with the key {r, 7}.
Drawn draw_on_device(const Matrix& logits, const nn::Sampling& sampling, std::uint32_t step = 0) {
  Bench bench(nn::Mode::kInference);
  const auto vocabulary = static_cast<std::uint32_t>(logits.columns);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(logits.rows + 1));
  bench.set_rows(rows, logits.rows);
  // Padding must not be sampled, even if its values are large.
  Matrix padded(logits.rows, (logits.columns + 3) / 4 * 4);
  std::vector<std::uint32_t> keys, none(logits.rows + 1, NO_TOKEN);
  for (std::uint32_t row = 0; row < logits.rows; ++row) {
    keys.insert(keys.end(), {row, 7});
    for (std::size_t c = 0; c < padded.columns; ++c)
      padded(row, c) = c < logits.columns ? logits(row, c) : 1000;
  }
  const auto drawn =
      nn::sample(bench.program, {bench.given(rows, padded), vocabulary}, sampling,
                 {.forced_id = bench.given_words(rows, 1, none), .adjustments = std::nullopt},
                 bench.given_words(rows, 2, keys), step);
  REQUIRE(bench.program.launches() == (step == 0 ? 1 : base::divide_up(rows.capacity, step)));
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(drawn.ids).first(logits.rows);
  const auto log_p = bench.program.host<float>(drawn.log_probabilities).first(logits.rows);
  return {{ids.begin(), ids.end()}, {log_p.begin(), log_p.end()}};
}

std::vector<double> numbers_of(const Matrix& matrix, std::size_t row) {
  std::vector<double> values;
  for (std::size_t c = 0; c < matrix.columns; ++c) values.push_back(matrix(row, c));
  return values;
}

void check_samples(const Matrix& logits, const nn::Sampling& sampling) {
  CAPTURE(logits.columns, sampling.temperature, sampling.top_k, sampling.top_p);
  const auto drawn = draw_on_device(logits, sampling);
  const Matrix log_p = reference::log_softmax(logits);
  std::size_t doubtful = 0;
  for (std::size_t row = 0; row < logits.rows; ++row) {
    const auto probabilities = reference::drawn_from(
        numbers_of(logits, row), {sampling.temperature, sampling.top_k, sampling.top_p});
    const auto expected = reference::draw(probabilities, {static_cast<std::uint32_t>(row), 7});
    REQUIRE(drawn.ids[row] < logits.columns);
    REQUIRE(drawn.log_probabilities[row] ==
            Approx(log_p(row, drawn.ids[row])).margin(1e-5).epsilon(1e-5));
    if (expected.lead < 1e-3) {
      ++doubtful;
    } else {
      REQUIRE(drawn.ids[row] == expected.id);
    }
  }
  REQUIRE(doubtful < 1 + logits.rows / 20);
}

Matrix scaled_noise(std::size_t rows, std::size_t columns, double scale) {
  Matrix logits = noise(rows, columns, 3);
  // Rounded to fp32, so that the order of equal values is the same.
  for (double& value : logits.values) value = static_cast<float>(value * scale);
  return logits;
}

}  // namespace

TEST_CASE("samples equal the reference, from all tokens and from the most probable") {
  for (const std::size_t vocabulary : {3, 37, 1001}) {
    const Matrix logits = scaled_noise(100, vocabulary, 5);
    check_samples(logits, {});
    check_samples(logits, {.temperature = 0.4f});
    check_samples(logits, {.temperature = 3});
    check_samples(logits, {.top_k = 1});
    check_samples(logits, {.top_k = 7});
    check_samples(logits, {.top_p = 0.3f});
    check_samples(logits, {.top_p = 0.9f});
    check_samples(logits, {.temperature = 2, .top_k = 20, .top_p = 0.8f});
  }
}

TEST_CASE("samples in parts are the samples of all rows at once") {
  const Matrix logits = scaled_noise(150, 37, 5);
  const nn::Sampling sampling{.top_k = 20, .top_p = 0.8f};
  const auto whole = draw_on_device(logits, sampling);
  for (const std::uint32_t step : {64u, 128u}) {
    const auto parts = draw_on_device(logits, sampling, step);
    CHECK(parts.ids == whole.ids);
    CHECK(parts.log_probabilities == whole.log_probabilities);
  }
}

TEST_CASE("a nucleus may be almost the whole vocabulary, or one token") {
  check_samples(scaled_noise(50, 3001, 0.01), {.top_p = 0.999f});
  check_samples(scaled_noise(50, 3001, 60), {.top_p = 0.01f});
}

TEST_CASE("equal logits are cut by id") {
  Matrix logits(200, 50);
  for (const std::uint32_t top_k : {1, 4, 49}) {
    check_samples(logits, {.top_k = top_k});
    for (const auto id : draw_on_device(logits, {.top_k = top_k}).ids) REQUIRE(id < top_k);
  }
  // 13 of 50 equal tokens have a bit more than a quarter of the probability.
  for (const auto id : draw_on_device(logits, {.top_p = 0.25f}).ids) REQUIRE(id < 13);
  // One token is more probable, and the nucleus ends among the others.
  for (std::size_t row = 0; row < logits.rows; ++row) logits(row, 40) = 2;
  check_samples(logits, {.top_p = 0.5f});
  check_samples(logits, {.top_k = 3});
}

TEST_CASE("where all tokens are forbidden there is no sample, unlike where no logit is a number") {
  Matrix logits = scaled_noise(3, 37, 1);
  for (std::size_t c = 0; c < 37; ++c) {
    logits(0, c) = -std::numeric_limits<double>::infinity();
    logits(2, c) = std::numeric_limits<double>::quiet_NaN();
  }
  const auto drawn = draw_on_device(logits, {});
  CHECK(drawn.ids[0] == NO_TOKEN);
  CHECK(drawn.log_probabilities[0] == -std::numeric_limits<float>::infinity());
  CHECK(drawn.ids[1] < 37);
  CHECK(std::isnan(drawn.log_probabilities[2]));
}

TEST_CASE("forbidden tokens are never sampled, forced ones always") {
  Matrix logits(100, 8);
  for (std::size_t row = 0; row < logits.rows; ++row)
    for (std::size_t c = 0; c < 7; ++c) logits(row, c) = -std::numeric_limits<double>::infinity();
  for (const nn::Sampling& sampling :
       {nn::Sampling{}, nn::Sampling{.top_k = 3}, nn::Sampling{.top_p = 1 - 0x1p-20f}}) {
    for (const auto id : draw_on_device(logits, sampling).ids) REQUIRE(id == 7);
  }
  Bench bench(nn::Mode::kInference);
  const auto rows = bench.program.count(2);
  bench.set_rows(rows, 2);
  const auto drawn = nn::sample(
      bench.program, {bench.given(rows, Matrix(2, 8)), 8}, {.top_k = 1},
      {.forced_id = bench.given_words(rows, 1, {5, NO_TOKEN}), .adjustments = std::nullopt},
      bench.given_words(rows, 2, {1, 2, 3, 4}));
  bench.run();
  REQUIRE(bench.program.host<std::uint32_t>(drawn.ids)[0] == 5);
  REQUIRE(bench.program.host<std::uint32_t>(drawn.ids)[1] == 0);
  REQUIRE(bench.program.host<float>(drawn.log_probabilities)[0] == Approx(-std::log(8.0)));
}

}  // namespace awend::tests
