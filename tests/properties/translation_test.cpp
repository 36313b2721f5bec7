// Properties of translation that hold for any weights, on a small model with random weights.
#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {

TEST_CASE("a translation does not depend on batch and order, bit for bit") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  LoadedTranslator wide(checkpoint, settings(3, 500));
  LoadedTranslator narrow(checkpoint, settings(3, 40));
  const auto sentences = some_sentences();
  const auto together = wide.translate(sentences);
  const auto in_small_batches = narrow.translate(sentences);
  const std::vector<Sentence> backwards(sentences.rbegin(), sentences.rend());
  const auto reversed = wide.translate(backwards);
  REQUIRE(together.size() == sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    const auto alone = wide.translate(std::span(&sentences[i], 1));
    REQUIRE(same(together[i][0], alone[0][0]));
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
    REQUIRE(same(together[i][0], reversed[sentences.size() - 1 - i][0]));
    if (sentences[i].empty()) REQUIRE(together[i][0].ids.empty());
  }
}

TEST_CASE(
    "a beam of one takes the most probable token at each step, which the whole model confirms") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  LoadedTranslator greedy(checkpoint, settings(1, 200));
  const auto sentences = some_sentences();
  const auto answers = greedy.translate(sentences);

  // The same model on the complete pair at once.
  WholeModel whole(scratch.folder() + "/model");
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    const auto& [ids, log_probability, score, of_tokens] = answers[i][0];
    const auto log_p = whole.log_probabilities(sentences[i], ids);
    REQUIRE(log_probability_of(log_p, ids, of_tokens.size()) ==
            Approx(log_probability).epsilon(1e-4));
    for (std::size_t at = 0; at < of_tokens.size(); ++at)
      REQUIRE(of_tokens[at] == Approx(*std::ranges::max_element(log_p[at])).epsilon(1e-4));
  }
}

TEST_CASE("the default batch of a very wide model fits the device") {
  const Scratch scratch;
  auto config = small_config();
  config.transformer.activation = nn::Activation::kGelu;
  config.transformer.d_ff = 10'000;  // 4096 rows of it exceed 128 MiB, one binding of lavapipe
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", config));
  LoadedTranslator translator(checkpoint, settings(2, 0));
  const std::vector<Sentence> sentences = {{2, 3, 4}};
  REQUIRE(translator.translate(sentences).size() == 1);
}

TEST_CASE("a sentence beyond the longest piece is translated in pieces, all of them") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  LoadedTranslator translator(checkpoint, settings(2, 40));
  Sentence sentence;
  for (std::uint32_t i = 0; i < 3 * translator.longest_piece(); ++i) sentence.push_back(2 + i % 48);
  const std::size_t part = sentence.size() / 3;
  Sentence joined;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<Sentence> one = {
        {sentence.begin() + static_cast<std::ptrdiff_t>(i * part),
         sentence.begin() + static_cast<std::ptrdiff_t>((i + 1) * part)}};
    const auto piece = translator.translate(one)[0][0].ids;
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  const std::vector<Sentence> whole = {sentence};
  REQUIRE(translator.translate(whole)[0][0].ids == joined);
}

TEST_CASE("an n-best list larger than the beam is refused") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  auto wrong = settings(2, 40);
  wrong.search.n_best = 3;
  REQUIRE_THROWS_AS(std::make_unique<LoadedTranslator>(checkpoint, wrong), base::UsageError);
}

}  // namespace awend::tests
