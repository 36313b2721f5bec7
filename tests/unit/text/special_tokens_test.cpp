#include "text/special_tokens.hpp"

#include "tests/catch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"

namespace {

using namespace awend::text;
using awend::tests::ModelKind;
using awend::tests::small_model;

Vocabulary xlm_vocabulary() {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  content.form.normalization = Normalization::kNone;
  for (const char* piece :
       {"<s>", "<pad>", "</s>", "<unk>", "▁a", "b", "▁", "a", "<mask>", "de_DE", "▁zz"})
    content.pieces.push_back({piece, 0});
  content.languages = {{"de_DE", 9}};
  content.unknown = 3;
  content.end_of_sentence = 2;
  content.model = small_model(ModelKind::kUnigram);
  return Vocabulary(std::move(content));
}

TEST_CASE("a mask in raw text is one token") {
  const auto vocabulary = xlm_vocabulary();
  const TokenCodecModel model(vocabulary);
  const auto codec = model.make();
  const auto tokens_of = [&](std::string_view line) {
    std::string tokens = "x";  // what is there is kept
    codec->encode(line, 1, tokens);
    return tokens.substr(1);
  };
  CHECK(tokens_of("ab <mask> ab") == "▁a b <mask> ▁a b");
  CHECK(tokens_of("<mask>") == "<mask>");
  CHECK(tokens_of("a<mask><mask>") == "▁a <mask> <mask>");
  CHECK(tokens_of("ab") == "▁a b");
  CHECK(tokens_of("").empty());
  Ids ids = {7};
  codec->encode_ids("ab <mask> ab", 1, ids);
  CHECK(ids == Ids{7, 4, 5, 8, 4, 5});
}

TEST_CASE("the language of a line is before its first mask, once") {
  const auto vocabulary = xlm_vocabulary();
  TokenCodecModel model(vocabulary);
  model.begin_with_language(9);
  const auto codec = model.make();
  const auto tokens_of = [&](std::string_view line) {
    std::string tokens;
    codec->encode(line, 1, tokens);
    return tokens;
  };
  CHECK(tokens_of("ab <mask> ab") == "de_DE ▁a b <mask> ▁a b");
  CHECK(tokens_of("<mask> ab") == "de_DE <mask> ▁a b");
  CHECK(tokens_of("<mask>") == "de_DE <mask>");
  CHECK(tokens_of("") == "");
  Ids ids;
  codec->encode_ids("<mask> ab <mask>", 1, ids);
  CHECK(ids == Ids{9, 8, 4, 5, 8});
}

TEST_CASE("a token that the model lacks has its space") {
  const auto vocabulary = xlm_vocabulary();
  const TokenCodecModel model(vocabulary);
  const auto codec = model.make();
  std::string line;
  codec->decode("▁zz ▁a b ▁zz", line);
  CHECK(line == "zz ab zz");
  line.clear();
  codec->decode_ids(Ids{4, 10, 10}, line);
  CHECK(line == "a zz zz");
}

TEST_CASE("other special tokens are found where they are asked for") {
  const auto vocabulary = xlm_vocabulary();
  const TokenCodecModel model(vocabulary);
  constexpr std::string_view kTokens[] = {"<pad>", "</s>", "<not a piece>"};
  SpecialTokenCodec codec(model.make(), vocabulary, kTokens);
  Ids ids;
  codec.encode_ids("a</s> <pad> b <mask>", 1, ids);
  CHECK(ids == Ids{4, 2, 1, 6, 5, 8});
}

}  // namespace
