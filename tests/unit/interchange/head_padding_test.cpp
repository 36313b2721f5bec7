// Padded heads: shapes, zeros, and the same attention as the original.
#include "interchange/head_padding.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace awend::interchange {
namespace {

using Values = std::vector<float>;

model::Config config_with(std::uint32_t d_model, std::uint32_t heads,
                          std::uint32_t decoder_heads = 0) {
  model::Config config;
  config.vocabulary = 8;
  config.d_model = d_model;
  config.encoder_layers = config.decoder_layers = 1;
  config.transformer.d_ff = 8;
  config.transformer.heads = heads;
  config.transformer.decoder_heads = decoder_heads;
  config.transformer.d_k = config.transformer.d_v = d_model / heads;
  config.transformer.attention_bias = model::Switch::kOn;
  return config;
}

Values numbers(std::size_t count, int seed) {
  Values values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(std::sin(seed + 0.7 * static_cast<double>(i))));
  return values;
}

const model::WeightShape& find(const std::vector<model::WeightShape>& all, std::string_view name) {
  for (const auto& weight : all) {
    if (weight.name() == name) return weight;
  }
  throw std::runtime_error(std::string(name));
}

/// x W + b.
std::vector<double> product(const std::vector<double>& x, const Values& w, const Values& b) {
  std::vector<double> y(b.begin(), b.end());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[i] * w[i * y.size() + j];
  return y;
}

struct Attention {
  Values query, query_bias, key, key_bias, value, value_bias, output, output_bias;
};

/// The attention of the last of the rows to all.
std::vector<double> attend(const std::vector<std::vector<double>>& rows, const Attention& w,
                           std::size_t heads, model::AttentionScale scale) {
  const auto q = product(rows.back(), w.query, w.query_bias);
  const std::size_t size = q.size() / heads;
  std::vector<double> context(q.size());
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<double> scores;
    double sum = 0;
    for (const auto& row : rows) {
      const auto k = product(row, w.key, w.key_bias);
      double score = 0;
      for (std::size_t i = 0; i < size; ++i) score += q[head * size + i] * k[head * size + i];
      const bool is_one = scale == model::AttentionScale::kOne;
      scores.push_back(std::exp(score / (is_one ? 1 : std::sqrt(static_cast<double>(size)))));
      sum += scores.back();
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto v = product(rows[row], w.value, w.value_bias);
      for (std::size_t i = 0; i < size; ++i)
        context[head * size + i] += scores[row] / sum * v[head * size + i];
    }
  }
  return product(context, w.output, w.output_bias);
}

}  // namespace

TEST_CASE("heads of multiples of four are not padded") {
  auto config = config_with(16, 2);
  const HeadPadding padding(config);
  CHECK(config.transformer.d_k == 8);
  for (const auto& weight : model::transformer_weights(config)) {
    CHECK(padding.original(weight).rows == weight.rows);
    CHECK(padding.original(weight).columns == weight.columns);
    const auto values = numbers(std::size_t{weight.rows} * weight.columns, 1);
    CHECK(padding.padded(values, weight) == values);
  }
}

TEST_CASE("padded heads attend as the original ones") {
  using model::AttentionScale;
  for (const auto& [decoder_heads, scale] :
       {std::pair(0u, AttentionScale::kInverseRootOfKeys),
        std::pair(4u, AttentionScale::kInverseRootOfKeys), std::pair(0u, AttentionScale::kOne)}) {
    auto config = config_with(20, 2, decoder_heads);
    config.transformer.attention_scale = scale;
    const HeadPadding padding(config);
    // With four heads of five columns, eight columns each, and 16 of each of two heads.
    CHECK(config.transformer.d_k == (decoder_heads == 0 ? 12 : 16));
    const auto all = model::transformer_weights(config);
    for (const std::string place : {"encoder.0.self.", "decoder.0.self.", "decoder.0.cross."}) {
      CAPTURE(decoder_heads, place);
      const std::size_t heads = place[0] == 'd' && decoder_heads != 0 ? decoder_heads : 2;
      Attention original, padded;
      int seed = 0;
      const auto add = [&](Values Attention::*member, const std::string& part) {
        const auto& weight = find(all, place + part);
        const auto shape = padding.original(weight);
        CHECK(shape.columns == 20);
        original.*member = numbers(std::size_t{shape.rows} * shape.columns, ++seed);
        padded.*member = padding.padded(original.*member, weight);
        CHECK((padded.*member).size() == std::size_t{weight.rows} * weight.columns);
      };
      add(&Attention::query, "query");
      add(&Attention::query_bias, "query_bias");
      add(&Attention::key, "key");
      add(&Attention::key_bias, "key_bias");
      add(&Attention::value, "value");
      add(&Attention::value_bias, "value_bias");
      add(&Attention::output, "output");
      add(&Attention::output_bias, "output_bias");
      std::vector<std::vector<double>> rows;
      for (int i = 0; i < 4; ++i) {
        const auto row = numbers(20, 30 + i);
        rows.emplace_back(row.begin(), row.end());
      }
      const auto expected = attend(rows, original, heads, scale),
                 found = attend(rows, padded, heads, scale);
      REQUIRE(expected.size() == 20);
      for (std::size_t i = 0; i < 20; ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-5));
    }
  }
}

TEST_CASE("recurrent networks have no heads") {
  model::Config config;
  config.architecture = "rnn";
  const auto before = model::to_settings(config).to_json();
  const HeadPadding padding(config);
  CHECK(model::to_settings(config).to_json() == before);
}

}  // namespace awend::interchange
