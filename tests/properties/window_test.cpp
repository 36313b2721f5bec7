// Properties of restricted self-attention (attention_window) that hold for any weights.
#include <algorithm>

#include "decode/teacher_forced_scorer.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

model::Config with_window(std::uint32_t window, model::Norm norm = model::Norm::kPost) {
  auto config = small_config();
  config.transformer.attention_window = window;
  config.transformer.norm = norm;
  return config;
}

/// The weights do not depend on the window.
std::string checkpoint_with(const Scratch& scratch, const model::Config& config) {
  return random_checkpoint(
      scratch.folder() + "/" + std::to_string(config.transformer.attention_window), config);
}

std::vector<Sentence> longer_sentences() {
  auto sentences = some_sentences();
  base::Random random(4);
  for (std::size_t i = 0; i < sentences.size(); i += 5) {
    sentences[i].resize(18);
    for (auto& id : sentences[i]) id = 2 + random.below(48);
  }
  return sentences;
}

TEST_CASE("with a window, a translation does not depend on batch and order, bit for bit") {
  const auto window = GENERATE(1u, 3u);
  const Scratch scratch;
  const store::ArrayFile checkpoint(checkpoint_with(scratch, with_window(window)));
  require_batch_invariance(checkpoint, longer_sentences(), 60);
}

TEST_CASE("with a window, steps agree with the whole model") {
  const auto norm = GENERATE(model::Norm::kPost, model::Norm::kPre);
  const auto window = GENERATE(1u, 2u, 5u);
  const Scratch scratch;
  const auto path = checkpoint_with(scratch, with_window(window, norm));
  const store::ArrayFile checkpoint(path);
  LoadedTranslator greedy(checkpoint, settings(1, 200));
  const auto sentences = longer_sentences();
  const auto answers = greedy.translate(sentences);
  WholeModel whole(path);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    const auto& [ids, log_probability, score, of_tokens] = answers[i][0];
    longest = std::max(longest, ids.size());
    const auto log_p = whole.log_probabilities(sentences[i], ids);
    REQUIRE(log_probability_of(log_p, ids, of_tokens.size()) ==
            Approx(log_probability).epsilon(1e-4));
    for (std::size_t at = 0; at < of_tokens.size(); ++at)
      REQUIRE(of_tokens[at] == Approx(*std::ranges::max_element(log_p[at])).epsilon(1e-4));
  }
  REQUIRE(longest > window + 1);
}

TEST_CASE("sentences that fit the window are translated as without one, bit for bit") {
  const Scratch scratch;
  const auto translate = [&](std::uint32_t window) {
    const store::ArrayFile checkpoint(checkpoint_with(scratch, with_window(window)));
    return LoadedTranslator(checkpoint, settings(3, 200)).translate(longer_sentences());
  };
  const auto all = translate(0), wide = translate(40), narrow = translate(1);
  std::size_t different = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    REQUIRE(same(all[i][0], wide[i][0]));
    if (!same(all[i][0], narrow[i][0])) ++different;
  }
  CHECK(different > 3);
}

TEST_CASE("recorded attention is 0 outside of the window") {
  constexpr std::uint32_t kWindow = 2;
  auto config = with_window(kWindow);
  config.transformer.source_end = GENERATE(model::Switch::kOn, model::Switch::kOff);
  const Scratch scratch;
  decode::LoadedModel model(
      engine(), store::ArrayFile(random_checkpoint(scratch.folder() + "/model", config)),
      nn::Element::kFloat32);
  decode::TeacherForcedScorer scorer(engine(), model.view(),
                                     {1, decode::TeacherForcedScorer::Keeps::kAttention});
  const decode::SentencePair pair{std::vector<std::uint32_t>(11, 4),
                                  std::vector<std::uint32_t>(9, 7)};
  const auto attention = scorer.attention(pair);
  const auto check = [&](const store::AttentionMaps& maps, const auto& attends) {
    REQUIRE(maps.layers == 2);
    for (std::uint32_t layer = 0; layer < maps.layers; ++layer) {
      for (std::uint32_t head = 0; head < maps.heads; ++head) {
        for (std::uint32_t row = 0; row < maps.rows; ++row) {
          CAPTURE(layer, head, row);
          const auto weights = maps.row(layer, head, row);
          double sum = 0;
          for (std::uint32_t column = 0; column < maps.columns; ++column) {
            CAPTURE(column);
            CHECK((weights[column] > 0) == attends(row, column));
            sum += weights[column];
          }
          CHECK(sum == Approx(1).epsilon(1e-5));
        }
      }
    }
  };
  const bool attends_end = config.transformer.source_end == model::Switch::kOn;
  const std::uint32_t end = 11;
  check(attention.encoder, [&](std::uint32_t row, std::uint32_t column) {
    if (!attends_end && (row == end || column == end)) return row == column;
    return column <= row + kWindow && row <= column + kWindow;
  });
  check(attention.decoder, [&](std::uint32_t row, std::uint32_t column) {
    return column <= row && row <= column + kWindow;
  });
  check(attention.cross,
        [&](std::uint32_t, std::uint32_t column) { return attends_end || column != end; });
}

}  // namespace
}  // namespace awend::tests
