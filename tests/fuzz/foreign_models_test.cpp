// The readers of other toolkits' models with damaged settings, vocabularies and weights: whatever
// the files contain, they are converted or refused with an Error.
#include "tests/fuzz/foreign_models.hpp"

#include "interchange/export.hpp"
#include "interchange/read_model.hpp"
#include "model/weight_layout.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/damaged_text.hpp"

namespace {

using namespace awend;
using namespace awend::tests;

constexpr std::string_view kBytes("\0\1\2\x7f\xff\n\r :-?'\"[]{},.0179eft!", 28);

/// Converts the model with each of its files damaged.
void check_damaged(const Contents& contents) {
  interchange::ModelFiles whole(contents);
  CHECK(!interchange::read_model(whole).weights.empty());
  for (const auto& [name, content] : contents) {
    CAPTURE(name);
    const auto counts = read_damaged({.whole = content, .bytes = kBytes}, [&](const auto& bytes) {
      auto damaged = contents;
      damaged[name] = bytes;
      interchange::ModelFiles files(damaged);
      const auto model = interchange::read_model(files);
      REQUIRE(model.weights.size() == model::weights_of(model.config).size());
    });
    CHECK(counts.refused > 100);
  }
}

TEST_CASE("damaged models of Marian") {
  check_damaged(marian_contents());
  check_damaged(marian_contents(MarianDecoder::kSsru));
}

TEST_CASE("damaged recurrent models of Marian") {
  check_damaged(marian_rnn_contents());
  // The row of an id in an output that is not tied: weights, bias, and unused numbers.
  interchange::ModelFiles files(marian_rnn_contents());
  const auto projection = interchange::read_model(files).weights.at("projection");
  REQUIRE(projection.size() == 32);
  CHECK(std::vector(projection.begin() + 8, projection.begin() + 16) ==
        std::vector<float>{1, 2, 3, -3, -2, 0, 0, 0});
}

TEST_CASE("damaged models of Hugging Face") {
  check_damaged(hugging_face_contents());
}

TEST_CASE("damaged BERT of Hugging Face") {
  check_damaged(bert_contents());
}

TEST_CASE("damaged multilingual models of Hugging Face") {
  check_damaged(multilingual_contents(Multilingual::kNllb));
  check_damaged(multilingual_contents(Multilingual::kM2m100));
  check_damaged(multilingual_contents(Multilingual::kMbart50));
}

TEST_CASE("damaged models of T5") {
  check_damaged(t5_contents());
}

TEST_CASE("damaged models of CTranslate2") {
  check_damaged(ctranslate2_contents());
  check_damaged(ctranslate2_contents_of(t5_contents()));
}

TEST_CASE("damaged models of fairseq") {
  check_damaged(fairseq_contents());
}

}  // namespace
