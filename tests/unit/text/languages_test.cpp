#include "text/languages.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "text/token_codec.hpp"
#include "text/vocabulary.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

Vocabulary sample() {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  for (const char* piece : {"<unk>", "</s>", "a", "deu_Latn", "eng_Latn", "__en__"})
    content.pieces.push_back({piece, 0});
  content.languages = {{"deu_Latn", 3}, {"eng_Latn", 4}, {"en", 5}};
  return Vocabulary(std::move(content));
}

TEST_CASE("languages are recognized by the form of their tokens") {
  CHECK(language_code_in("deu_Latn") == "deu_Latn");
  CHECK(language_code_in("zh_CN") == "zh_CN");
  CHECK(language_code_in("__ceb__") == "ceb");
  for (const char* token : {"", "_", "__", "____", "__De__", "__d__e__", "a_B", "de_de", "deu_latn",
                            "deu_LATN", "deu_Lat", "deut_Latn", "<mask>", "\u2581de", "__"})
    CHECK_FALSE(language_code_in(token));
}

TEST_CASE("tags of languages are recognized by their form") {
  CHECK(language_tag_in("<2de>") == "de");
  CHECK(language_tag_in("<2zh_Latn>") == "zh_Latn");
  for (const char* token : {"", "<2", "<2>", "<de>", "2de>", "<2de", "<2d e>", "<extra_id_0>"})
    CHECK_FALSE(language_tag_in(token));
}

/// A list of tokens without a SentencePiece model, with tags.
Vocabulary with_tags() {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  for (const char* piece : {"<unk>", "</s>", "a", "<2de>", "<2en>"})
    content.pieces.push_back({piece, 0});
  content.languages = {{"de", 3}, {"en", 4}};
  return Vocabulary(std::move(content));
}

TEST_CASE("a line has one tag, its own or the requested one") {
  const auto vocabulary = with_tags();
  CHECK(has_language_tags(vocabulary));
  CHECK_FALSE(has_language_tags(sample()));
  CHECK(language_id(vocabulary, "en") == 4);
  const auto encoded = [&](std::string_view line, bool begins) {
    TokenCodecModel model(vocabulary);
    if (begins) model.begin_with_language(3);
    const auto codec = model.make();
    std::string tokens;
    codec->encode(line, 1, tokens);
    std::vector<std::uint32_t> ids;
    codec->encode_ids(line, 1, ids);
    std::string from_ids;
    for (const auto id : ids)
      from_ids += (from_ids.empty() ? "" : " ") + std::string(vocabulary.piece(id));
    CHECK(from_ids == tokens);
    return tokens;
  };
  CHECK(encoded("a a", false) == "a a");
  CHECK(encoded("a a", true) == "<2de> a a");
  CHECK(encoded("<2en> a", true) == "<2en> a");
  CHECK(encoded("<2en> a", false) == "<2en> a");
  CHECK(encoded("<2en>", false) == "<2en>");
  CHECK(encoded("<2en> ", true) == "<2en>");
  CHECK(encoded("", true) == "");
  const auto more = with_languages(vocabulary, std::vector<std::string>{"gsw"});
  CHECK(more.piece(5) == "<2gsw>");
  CHECK(language_id(more, "gsw") == 5);
}

TEST_CASE("a language is found by its code or its token") {
  const auto vocabulary = sample();
  CHECK(language_id(vocabulary, "eng_Latn") == 4);
  CHECK(language_id(vocabulary, "en") == 5);
  CHECK(language_id(vocabulary, "__en__") == 5);
  CHECK(message_of([&] { language_id(vocabulary, "deu_Lat"); }) ==
        "'deu_Lat' is not one of the 3 languages of the vocabulary, did you mean 'deu_Latn'?");
  CHECK(message_of([&] { language_id(vocabulary, "xyz"); }) ==
        "'xyz' is not one of the 3 languages of the vocabulary");
  VocabularyContent plain;
  plain.pieces = special_pieces();
  CHECK(message_of([&] { language_id(Vocabulary(plain), "en"); }) ==
        "the vocabulary has no languages, got 'en'");
}

TEST_CASE("a vocabulary gets more languages") {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  for (const char* piece : {"<unk>", "</s>", "a", "deu_Latn"}) content.pieces.push_back({piece, 0});
  content.languages = {{"deu_Latn", 3}};
  const Vocabulary nllb(content);
  const auto extend = [](const Vocabulary& vocabulary, std::vector<std::string> codes) {
    return with_languages(vocabulary, codes);
  };
  const auto more = extend(nllb, {"gsw_Latn", "bar_Latn"});
  CHECK(more.content().languages ==
        std::vector<Language>{{"deu_Latn", 3}, {"gsw_Latn", 4}, {"bar_Latn", 5}});
  CHECK(more.piece(5) == "bar_Latn");
  CHECK(message_of([&] { extend(nllb, {"deu_Latn"}); }) == "the vocabulary has 'deu_Latn' already");
  for (const char* code : {"gsw", "de_DE", "__gsw__", ""}) {
    CHECK(message_of([&] { extend(nllb, {code}); }) ==
          awend::base::concat("'", code, "' is not the code of a language such as 'deu_Latn'"));
  }
  content.pieces[3].text = "__de__";
  content.languages = {{"de", 3}};
  CHECK(extend(Vocabulary(content), {"gsw"}).piece(4) == "__gsw__");
  content.languages.clear();
  CHECK(message_of([&] { extend(Vocabulary(content), {"gsw"}); }) ==
        "the vocabulary has no languages");
}

TEST_CASE("lines begin with the token of a language, which is decoded to nothing") {
  const auto vocabulary = sample();
  TokenCodecModel model(vocabulary);
  model.begin_with_language(3);
  const auto codec = model.make();
  const auto encoded = [&](const char* line) {
    std::string tokens;
    codec->encode(line, 1, tokens);
    return tokens;
  };
  CHECK(encoded("a  a") == "deu_Latn a a");
  CHECK(encoded("") == "");
  Ids ids;
  codec->encode_ids("a", 1, ids);
  CHECK(ids == Ids{3, 2});
  std::string line;
  codec->decode("deu_Latn a eng_Latn a", line);
  CHECK(line == "a a");
  line.clear();
  codec->decode_ids(Ids{3, 2, 4, 2}, line);
  CHECK(line == "a a");
}

}  // namespace
