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

TEST_CASE("two vocabularies are those of the sides that their names or the settings tell") {
  const auto with_vocabularies = [](const std::string& source, const std::string& target) {
    auto contents = marian_contents();
    contents[target] = contents.at("vocab.yml");
    contents[source] = "</s>: 0\n<unk>: 1\nc: 2\nd: 3\n";
    contents.erase("vocab.yml");
    return contents;
  };
  for (const auto& [source, target] :
       {std::pair("vocab.src.yml", "vocab.trg.yml"), std::pair("vocab.src.yml", "tgt.vocab.yml"),
        std::pair("vocab-source.yml", "target-vocab.yml")}) {
    CAPTURE(source, target);
    CHECK(read(with_vocabularies(source, target)).source_vocabulary->piece(2) == "c");
  }
  auto named = with_vocabularies("vocab.en.yml", "vocab.de.yml");
  CHECK(message_of([&] { read(named); }) ==
        "model.bin: which of vocab.de.yml and vocab.en.yml is of the source is not known; add "
        "'vocabs:' with the lines '- SOURCE' and '- TARGET' to model.bin.decoder.yml");
  named["model.bin.decoder.yml"] = "vocabs:\n  - vocab.en.yml\n  - vocab.de.yml\n";
  CHECK(read(named).source_vocabulary->piece(2) == "c");
}

}  // namespace
