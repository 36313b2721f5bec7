// Attention and embedding of the reference: known values, and gradients compared with central
// differences over packed sentences.
#include "tests/reference/attention.hpp"

#include "tests/reference/embedding.hpp"
#include "tests/reference/gradient_check.hpp"

namespace awend::reference {
namespace {

const std::vector<std::size_t> kTargets{0, 1, 4, 6};
const std::vector<std::size_t> kSources{0, 3, 5, 9};

/// Attention over sentences at odd sizes: three heads, d_k 5, d_v 3.
Attention random_attention(std::size_t query_rows, std::size_t key_rows,
                           std::vector<RowRange> keys) {
  base::Random random(21);
  Attention a;
  a.heads = 3;
  a.q = random_matrix(query_rows, 15, random);
  a.k = random_matrix(key_rows, 15, random);
  a.v = random_matrix(key_rows, 9, random);
  a.keys = std::move(keys);
  return a;
}

void check_attention(Attention a) {
  base::Random random(22);
  const Matrix weights = random_matrix(a.q.rows, a.v.columns, random);
  const auto loss = [&] { return weighted_sum(weights, attention(a).y); };
  const auto gradient = attention_backward(a, weights);
  check_gradient(a.q.values, gradient.dq.values, loss);
  check_gradient(a.k.values, gradient.dk.values, loss);
  check_gradient(a.v.values, gradient.dv.values, loss);
}

TEST_CASE("a query with one key copies its value") {
  Attention a = random_attention(4, 4, causal_ranges({0, 1, 2, 3, 4}));
  const auto result = attention(a);
  for (std::size_t i = 0; i < a.v.values.size(); ++i) {
    CHECK(result.y.values[i] == Approx(a.v.values[i]));
  }
  CHECK(result.log_sum_exp(2, 1) == Approx(attention_score(a, 2, 2, 1)));
}

TEST_CASE("attention has the known values of an example") {
  Attention a;
  a.q = Matrix(1, 1);
  a.k = Matrix(2, 1);
  a.v = Matrix(2, 1);
  a.q.values = {2};
  a.k.values = {0, std::log(3.0) / 2};
  a.v.values = {1, 5};
  a.keys = {{0, 2}};
  CHECK(attention(a).y(0, 0) == Approx(0.25 * 1 + 0.75 * 5));
  CHECK(attention(a).log_sum_exp(0, 0) == Approx(std::log(4.0)));
}

TEST_CASE("scores are divided by the root of d_k") {
  Attention a;
  a.q = Matrix(1, 4);
  a.k = Matrix(1, 4);
  a.q.values = {1, 2, 3, 4};
  a.k.values = {1, 1, 1, 1};
  CHECK(attention_score(a, 0, 0, 0) == Approx(5));
}

TEST_CASE("the ranges are the sentence, the sentence so far, and the other sentence") {
  const auto own = sentence_ranges(kTargets);
  const auto causal = causal_ranges(kTargets);
  const auto cross = cross_ranges(kTargets, kSources);
  REQUIRE(own.size() == 6);
  CHECK((own[2].begin == 1 && own[2].end == 4));
  CHECK((causal[2].begin == 1 && causal[2].end == 3));
  CHECK((cross[2].begin == 3 && cross[2].end == 5));
}

TEST_CASE("outputs depend neither on later tokens nor on other sentences") {
  Attention a = random_attention(6, 6, causal_ranges(kTargets));
  const Matrix before = attention(a).y;
  a.k(2, 0) += 1;
  a.v(2, 0) += 1;
  const Matrix after = attention(a).y;
  for (std::size_t row : {0, 1, 4, 5}) {
    for (std::size_t column = 0; column < 9; ++column) {
      CHECK(before(row, column) == after(row, column));
    }
  }
  CHECK(before(2, 0) != after(2, 0));
  CHECK(before(3, 0) != after(3, 0));
}

TEST_CASE("gradients of attention agree with central differences") {
  check_attention(random_attention(6, 6, sentence_ranges(kTargets)));
  check_attention(random_attention(6, 6, causal_ranges(kTargets)));
  check_attention(random_attention(6, 9, cross_ranges(kTargets, kSources)));
}

TEST_CASE("gradients of attention with dropout agree with central differences") {
  Attention a = random_attention(6, 9, cross_ranges(kTargets, kSources));
  a.dropout = {.probability = 0.3, .seed = 5, .dropout_id = 4, .step = 9};
  check_attention(a);
}

TEST_CASE(
    "gradients of attention with biases by relative positions agree with central differences") {
  for (const auto& keys : {sentence_ranges(kTargets), causal_ranges(kTargets)}) {
    Attention a = random_attention(6, 6, keys);
    base::Random random(25);
    a.bias = {.table = random_matrix(4, 3, random), .buckets = {1, 1, 0, 2, 3}};
    a.dropout = {.probability = 0.3, .seed = 5, .dropout_id = 4, .step = 9};
    check_attention(a);
    const Matrix weights = random_matrix(a.q.rows, a.v.columns, random);
    const auto loss = [&] { return weighted_sum(weights, attention(a).y); };
    check_gradient(a.bias.table.values, attention_backward(a, weights).dbias.values, loss);
  }
}

TEST_CASE("distances beyond the largest have the bias of that distance") {
  Attention a = random_attention(6, 6, sentence_ranges({0, 6}));
  const double without = attention_score(a, 0, 5, 1);
  a.bias = {.table = Matrix(3, 3), .buckets = {0, 1, 2}};
  a.bias.table(2, 1) = 7;
  CHECK(attention_score(a, 0, 5, 1) == Approx(without + 7));
  CHECK(a.bias.bucket(3, 3) == 1);
  CHECK(a.bias.bucket(5, 0) == 0);
}

TEST_CASE("the mask of attention weights is that of the shaders") {
  const DropoutPlace place{.probability = 0.5, .seed = 0x300000002, .dropout_id = 4, .step = 9};
  for (std::uint32_t key = 0; key < 50; ++key) {
    const auto words = base::philox({17, key, 4 * 256 + 2, 9}, {2, 3});
    REQUIRE(weight_factor(place, 17, key, 2) == (words[0] >= 0x80000000 ? 2 : 0));
  }
}

TEST_CASE("sinusoids are those of the paper, with alternating sines and cosines") {
  CHECK(sinusoid(0, 0, 6) == 0);
  CHECK(sinusoid(0, 1, 6) == 1);
  CHECK(sinusoid(3, 0, 6) == Approx(std::sin(3.0)));
  CHECK(sinusoid(3, 1, 6) == Approx(std::cos(3.0)));
  CHECK(sinusoid(3, 4, 6) == Approx(std::sin(3 / std::pow(10000.0, 4.0 / 6))));
  CHECK(sinusoid(3, 5, 6) == Approx(std::cos(3 / std::pow(10000.0, 4.0 / 6))));
}

Embedding random_embedding() {
  base::Random random(23);
  Embedding e;
  e.table = random_matrix(5, 7, random);
  e.ids = {kNoToken, 3, 1, 3, 0};
  e.places = {0, 1, 2, 0, 1};
  return e;
}

TEST_CASE("an embedding is scaled, and the first decoder input is only its position") {
  const Embedding e = random_embedding();
  const Matrix y = embedding(e);
  for (std::size_t column = 0; column < 7; ++column) {
    CHECK(y(0, column) == (column % 2 == 0 ? 0 : 1));
    CHECK(y(1, column) == Approx(e.table(3, column) * std::sqrt(7.0) + sinusoid(1, column, 7)));
  }
}

TEST_CASE("gradients of the embedding agree with central differences") {
  base::Random random(24);
  Embedding e = random_embedding();
  e.positions = random_matrix(3, 7, random);
  e.dropout = philox_dropout({.probability = 0.25, .seed = 1, .dropout_id = 2, .step = 3});
  const Matrix weights = random_matrix(5, 7, random);
  const auto loss = [&] { return weighted_sum(weights, embedding(e)); };
  const auto gradient = embedding_backward(e, weights);
  check_gradient(e.table.values, gradient.dtable.values, loss);
  check_gradient(e.positions.values, gradient.dpositions.values, loss);
  for (std::size_t column = 0; column < 7; ++column) CHECK(gradient.dtable(2, column) == 0);
}

}  // namespace
}  // namespace awend::reference
