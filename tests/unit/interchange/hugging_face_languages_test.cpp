#include "interchange/hugging_face_languages.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"

namespace {

using namespace awend::interchange;
using namespace awend::tests;
using Contents = std::map<std::string, std::string>;
using Tokens = std::vector<std::string>;
using Languages = std::vector<awend::text::Language>;

const std::string kModel = small_model(ModelKind::kBpe);
// As fairseq numbers the pieces of the model.
const Tokens kFirst = {"<s>", "<pad>", "</s>", "<unk>", "▁a", "b", "▁", "a", "␊"};

TokenList read(Contents contents, std::uint32_t vocabulary = 14) {
  contents.emplace("sentencepiece.bpe.model", kModel);
  ModelFiles files(contents);
  return read_multilingual_tokens(files, vocabulary);
}

std::string complaint(const Contents& contents, std::uint32_t vocabulary = 14) {
  return message_of([&] { read(contents, vocabulary); });
}

Tokens with_first(const Tokens& rest) {
  auto tokens = kFirst;
  tokens.insert(tokens.end(), rest.begin(), rest.end());
  return tokens;
}

TEST_CASE("listed languages follow the pieces, and <mask> follows them") {
  const auto list =
      read({{"special_tokens_map.json",
             R"({"additional_special_tokens": ["de_DE", "en_XX"], "mask_token": "<mask>"})"}});
  CHECK(list.tokens == with_first({"de_DE", "en_XX", "<mask>", "", ""}));
  CHECK(list.languages == Languages{{"de_DE", 9}, {"en_XX", 10}});
  CHECK(list.splitter == kModel);
  // Older files have the list in the settings of the tokenizer.
  CHECK(
      read({{"tokenizer_config.json", R"({"additional_special_tokens": ["de_DE"]})"}}).languages ==
      Languages{{"de_DE", 9}});
}

TEST_CASE("languages have the ids that the files give them") {
  const auto by_name =
      read({{"added_tokens.json", R"({"<mask>": 9, "eng_Latn": 11, "deu_Latn": 10})"},
            {"special_tokens_map.json", R"({"additional_special_tokens": ["eng_Latn"]})"}});
  CHECK(by_name.tokens == with_first({"<mask>", "deu_Latn", "eng_Latn", "", ""}));
  CHECK(by_name.languages == Languages{{"deu_Latn", 10}, {"eng_Latn", 11}});
  const auto by_id = read({{"tokenizer_config.json",
                            R"({"added_tokens_decoder": {"0": {"content": "<s>"},)"
                            R"( "11": {"content": "fra_Latn"}}, "legacy_behaviour": false})"}});
  CHECK(by_id.languages == Languages{{"fra_Latn", 11}});
  CHECK(by_id.tokens.at(9).empty());
}

TEST_CASE("files of the tokenizers library have the ids, too") {
  const Contents contents = {
      {"tokenizer.json",
       R"({"version": "1.0", "added_tokens": [{"id": 2, "content": "</s>"},)"
       R"( {"id": 9, "content": "<mask>"}, {"id": 10, "content": "deu_Latn", "special": true}],)"
       R"( "model": {}})"},
      {"tokenizer_config.json", R"({"extra_special_tokens": ["deu_Latn"]})"}};
  CHECK(read(contents).tokens == with_first({"<mask>", "deu_Latn", "", "", ""}));
  // Without them, the list decides.
  auto listed = contents;
  listed.erase("tokenizer.json");
  CHECK(read(listed).languages == Languages{{"deu_Latn", 9}});
  listed["tokenizer_config.json"] = R"({"extra_special_tokens": {}})";
  CHECK(complaint(listed) == "special_tokens_map.json: no languages ('additional_special_tokens')");
  listed["tokenizer.json"] = R"({"added_tokens": [{"id": "x", "content": "deu_Latn"}]})";
  CHECK(complaint(listed) == "tokenizer.json: setting 'id': 'x' is not a natural number");
  listed["tokenizer.json"] = R"({"added_tokens": [3]})";
  CHECK(complaint(listed) == "tokenizer.json: not a JSON object");
  listed["tokenizer.json"] = R"({"added_tokens": {}})";
  CHECK(complaint(listed) == "tokenizer.json: not a JSON list");
}

TEST_CASE("a new language is one of those that tokenizer.json has") {
  const auto list = read(
      {{"added_tokens.json", R"({"tyv_Cyrl": 12})"},
       {"tokenizer.json",
        R"({"added_tokens": [{"id": 9, "content": "<mask>"}, {"id": 10, "content": "deu_Latn"},)"
        R"( {"id": 11, "content": "eng_Latn"}, {"id": 12, "content": "old"}], "model": {}})"}});
  CHECK(list.tokens == with_first({"<mask>", "deu_Latn", "eng_Latn", "tyv_Cyrl", ""}));
  CHECK(list.languages == Languages{{"deu_Latn", 10}, {"eng_Latn", 11}, {"tyv_Cyrl", 12}});
}

TEST_CASE("M2M100 has its own ids and a list of languages") {
  const Contents ids = {
      {"vocab.json", R"({"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "b": 4, "a": 5})"}};
  const auto list = read(ids, 114);
  CHECK(list.tokens.at(4) == "b");
  CHECK(list.languages.size() == 100);
  CHECK(list.languages.front() == awend::text::Language{"af", 6});
  CHECK(list.languages.back() == awend::text::Language{"zu", 105});
  CHECK(list.tokens.at(22) == "__de__");
  CHECK(list.tokens.at(106).empty());
  auto few = ids;
  few["tokenizer_config.json"] =
      R"({"language_codes": "wmt21", "tokenizer_class": "M2M100Tokenizer"})";
  CHECK(read(few).languages.back() == awend::text::Language{"de", 13});
  few["special_tokens_map.json"] = R"({"additional_special_tokens": ["__de__"]})";
  CHECK(read(few).languages == Languages{{"de", 6}});
}

TEST_CASE("tokenizers that do not match the model are refused") {
  CHECK(complaint({}) == "special_tokens_map.json: no languages ('additional_special_tokens')");
  CHECK(complaint({{"added_tokens.json", R"({"deu_Latn": 14})"}}) ==
        "sentencepiece.bpe.model: with the tokens of languages, 15 tokens, but the model has 14");
  CHECK(complaint({}, 5) ==
        "sentencepiece.bpe.model: with the tokens of languages, 9 tokens, but the model has 5");
  CHECK(complaint({{"added_tokens.json", R"({"deu_Latn": -1})"}}) ==
        "added_tokens.json: '-1' is not an id");
  CHECK(complaint({{"tokenizer_config.json", R"({"tokenizer_class": "MBartTokenizer"})"}}) ==
        "tokenizer_config.json: setting 'tokenizer_class' is 'MBartTokenizer': another tokenizer "
        "is not supported");
  CHECK(complaint({{"tokenizer_config.json", R"({"legacy_behaviour": true})"}}) ==
        "tokenizer_config.json: setting 'legacy_behaviour' is 'true': a language after the source "
        "is not supported");
  CHECK(complaint({{"tokenizer_config.json", R"({"added_tokens_decoder": {"9": {}}})"}}) ==
        "tokenizer_config.json: setting 'added_tokens_decoder': '9' has no 'content'");
  CHECK(
      complaint({{"tokenizer_config.json", R"({"language_codes": "x"})"}, {"vocab.json", "{}"}}) ==
      "tokenizer_config.json: setting 'language_codes': 'x' is not supported");
  CHECK(message_of([] {
          ModelFiles files(Contents{});
          read_multilingual_tokens(files, 3);
        }) == "sentencepiece.bpe.model: no such file; copy it from the original model");
}

}  // namespace
