// Models of Marian: the files next to the weights.
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;

ConvertedModel read(const Contents& contents) {
  ModelFiles files(contents);
  return read_model(files);
}

TEST_CASE("the text of each side is split by its SentencePiece model, as in OPUS-MT") {
  auto contents = marian_contents();
  CHECK(read(contents).vocabulary->content().model.empty());
  contents["source.spm"] = small_model(ModelKind::kUnigram);
  contents["target.spm"] = small_model(ModelKind::kBpe);
  const auto model = read(contents);
  CHECK(model.vocabulary->content().model == contents.at("target.spm"));
  REQUIRE(model.source_vocabulary);
  CHECK(model.source_vocabulary->content().model == contents.at("source.spm"));
  CHECK(model.source_vocabulary->piece(2) == model.vocabulary->piece(2));
  CHECK(model.config.source_vocabulary == 0);
  contents["source.spm"] = contents.at("target.spm");
  const auto same = read(contents);
  CHECK(same.vocabulary->content().model == contents.at("target.spm"));
  CHECK(!same.source_vocabulary);
  contents["source.spm"] = "x";
  CHECK(message_of([&] { read(contents); }).starts_with("source.spm: "));
}

}  // namespace
