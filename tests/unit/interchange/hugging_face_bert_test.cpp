#include "interchange/hugging_face_bert.hpp"

#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::Switch;
using model::Task;

ConvertedModel read(const Contents& contents) {
  ModelFiles files(contents);
  return read_model(files);
}

std::string refusal_of(Contents contents, const std::string& file, const std::string& content) {
  contents[file] = content;
  return message_of([&] { read(contents); });
}

/// `text` with `before` replaced.
std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const auto at = text.find(before);
  REQUIRE(at != text.npos);
  return text.replace(at, before.size(), after);
}

/// A small model for a task, whose weights all differ.
ConvertedModel sample(Task task, Switch next_sentence) {
  auto model = small_bert();
  auto& bert = model.config.bert;
  bert.task = task;
  bert.next_sentence = next_sentence;
  if (task == Task::kClassify || task == Task::kTag) bert.labels = {"B-x", "\u2581\"", "O"};
  model.config.transformer.activation = nn::Activation::kSwish;
  model.config.dropout = 0.25;
  model.weights.clear();
  float next = 0;
  for (const auto& weight : model::bert_weights(model.config)) {
    auto& values = model.weights[weight.name()];
    for (std::size_t i = 0; i < std::size_t{weight.rows} * weight.columns; ++i)
      values.push_back(next += 0.5f);
  }
  return model;
}

/// Arrays of a file with other names or without some; `rename` returns an empty name for these.
template <class Rename>
std::string renamed(const std::string& file, const Rename& rename) {
  const Scratch scratch;
  const store::ArrayFile before(scratch.write("before", file));
  auto arrays = before.arrays();
  for (auto& array : arrays) array.name = rename(array.name);
  std::erase_if(arrays, [](const auto& array) { return array.name.empty(); });
  store::write_arrays(scratch.path("after"), arrays, {});
  return Scratch::read(scratch.path("after"));
}

TEST_CASE("a BERT is the same after Hugging Face's format, bit for bit") {
  struct Case {
    Task task;
    Switch next_sentence;
    std::string architecture;
  };
  const Case cases[] = {{Task::kPretrain, Switch::kOn, "BertForPreTraining"},
                        {Task::kPretrain, Switch::kOff, "BertForMaskedLM"},
                        {Task::kClassify, Switch::kOn, "BertForSequenceClassification"},
                        {Task::kTag, Switch::kOn, "BertForTokenClassification"},
                        {Task::kSpans, Switch::kOn, "BertForQuestionAnswering"}};
  for (const auto& [task, next_sentence, architecture] : cases) {
    CAPTURE(architecture);
    const auto model = sample(task, next_sentence);
    const auto contents = contents_of_bert(model);
    CHECK(contents.at("config.json").find(architecture) != std::string::npos);
    const auto back = read(contents);
    CHECK(back.weights == model.weights);
    CHECK(model::to_settings(back.config) == model::to_settings(model.config));
    CHECK(back.vocabulary->serialize() == model.vocabulary->serialize());
    CHECK(contents_of_bert(back) == contents);
    const Scratch scratch;
    write_checkpoint(scratch.path("x"), model);
    CHECK(read_checkpoint(scratch.path("x")).weights == model.weights);
  }
}

TEST_CASE("heads that the original lacks are initialized") {
  auto contents = contents_of_bert(sample(Task::kPretrain, Switch::kOn));
  contents["config.json"] = replaced(contents.at("config.json"), "BertForPreTraining", "BertModel");
  const auto whole = read(contents);
  // Files of a BertModel have neither heads nor a prefix.
  contents["model.safetensors"] = renamed(contents.at("model.safetensors"), [](std::string name) {
    return name.starts_with("bert.") ? name.substr(5) : "";
  });
  const auto model = read(contents);
  CHECK(model.notes.size() == whole.notes.size() + 2);
  CHECK(model.weights.at("pooler.dense") == whole.weights.at("pooler.dense"));
  CHECK(model.weights.at("encoder.0.self.key") == whole.weights.at("encoder.0.self.key"));
  CHECK(model.weights.at("masked.dense") ==
        std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  CHECK(model.weights.at("masked.norm.gain") == std::vector<float>(4, 1.0f));
  CHECK(model.weights.at("next_sentence") == std::vector<float>(8));
  contents["config.json"] = replaced(contents.at("config.json"), "BertModel", "BertForMaskedLM");
  CHECK(message_of([&] { read(contents); }) ==
        "model.safetensors: no array 'cls.predictions.transform.dense.weight'");
}

TEST_CASE("the names of the first BERT, and copies of tied weights") {
  const auto contents = contents_of_bert(sample(Task::kPretrain, Switch::kOn));
  auto old = contents;
  old["model.safetensors"] = renamed(contents.at("model.safetensors"), [](std::string name) {
    const auto at = name.find("LayerNorm.");
    if (at == name.npos)
      return name == "cls.predictions.bias" ? "cls.predictions.decoder.bias" : name;
    return name.substr(0, at + 10) + (name.ends_with("weight") ? "gamma" : "beta");
  });
  CHECK(read(old).weights == read(contents).weights);
  old["model.safetensors"] = renamed(contents.at("model.safetensors"), [](std::string name) {
    return name == "bert.pooler.dense.bias" ? "bert.pooler.odd" : name;
  });
  CHECK(message_of([&] { read(old); }) == "model.safetensors: no array 'bert.pooler.dense.bias'");
}

TEST_CASE(
    "a model that finds answers may have a pooler and names of labels, which it does not use") {
  const auto contents = contents_of_bert(sample(Task::kSpans, Switch::kOn));
  const auto weights = read(contents).weights;
  CHECK(weights.at("span").size() == 8);
  CHECK(weights.at("span_bias").size() == 2);
  CHECK(weights.size() == read(contents_of_bert(sample(Task::kTag, Switch::kOn))).weights.size());
  auto other = contents;
  other["config.json"] = replaced(contents.at("config.json"), "\"intermediate_size\"",
                                  "\"id2label\": {\"0\": \"LABEL_0\"},\n  \"intermediate_size\"");
  CHECK(read(other).weights == weights);
  CHECK(read(other).config.bert.labels.empty());
  other["model.safetensors"] = renamed(contents.at("model.safetensors"), [](std::string name) {
    return name == "qa_outputs.bias" ? "" : name;
  });
  CHECK(message_of([&] { read(other); }) == "model.safetensors: no array 'qa_outputs.bias'");
}

TEST_CASE("labels are words") {
  const auto contents = contents_of_bert(sample(Task::kClassify, Switch::kOn));
  const auto config = contents.at("config.json");
  auto changed = contents;
  changed["config.json"] = replaced(config, "\"O\"", "\"a b\"");
  CHECK(read(changed).config.bert.labels.back() == "a_b");
  const auto begin = config.find("  \"id2label\""), end = config.find("  \"inter");
  auto without = config;
  without.replace(begin, end - begin, "  \"num_labels\": 3,\n");
  changed["config.json"] = without;
  CHECK(read(changed).config.bert.labels ==
        std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"});
  const auto refusal = [&](const char* before, const char* after) {
    return refusal_of(contents, "config.json", replaced(config, before, after));
  };
  CHECK(refusal("\"O\"", "\"B-x\"") ==
        "config.json: setting 'id2label': the label 'B-x' is duplicated");
  CHECK(refusal("\"2\"", "\"3\"") == "config.json: setting 'id2label' has no label 2");
  CHECK(refusal(", \"2\": \"O\"", "") ==
        "model.safetensors: array 'classifier.weight' is F32 [3, 4], but 'classifier' requires "
        "F32 [2, 4]");
}

TEST_CASE("letters keep their case if a setting or a piece says so") {
  auto contents = bert_contents();
  const auto letter_case = [&] { return read(contents).vocabulary->form().letter_case; };
  CHECK(letter_case() == text::LetterCase::kLower);
  contents["tokenizer_config.json"] = "{\"do_lower_case\": false}";
  CHECK(letter_case() == text::LetterCase::kKeep);
  contents.erase("tokenizer_config.json");
  CHECK(letter_case() == text::LetterCase::kLower);
  CHECK(read(contents).notes.back() ==
        "no setting 'do_lower_case'; no piece has a capital letter, so text is lowercased");
  contents["vocab.txt"] = replaced(contents.at("vocab.txt"), "##b", "##B");
  CHECK(letter_case() == text::LetterCase::kKeep);
  contents["config.json"] = replaced(contents.at("config.json"), "{", "{\"do_lower_case\": true,");
  CHECK(letter_case() == text::LetterCase::kLower);
}

TEST_CASE("tokens of BERT may be added, and ids without a token are not predicted") {
  auto contents = contents_of_bert(sample(Task::kPretrain, Switch::kOn));
  const auto bias = read(contents).weights.at("masked.bias");
  // The model has two ids more than the list.
  contents["vocab.txt"] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  const auto padded = read(contents);
  CHECK(padded.vocabulary->piece(6) == "<id:6>");
  CHECK(padded.weights.at("masked.bias").at(4) == bias.at(4));
  CHECK(padded.weights.at("masked.bias").at(5) == -1e9f);
  CHECK(padded.weights.at("masked.bias").at(6) == -1e9f);
  contents["tokenizer_config.json"] =
      R"({"do_lower_case": true, "added_tokens_decoder": {"4": {"content": "[MASK]"},)"
      R"( "5": {"content": "<e1>"}}})";
  contents["added_tokens.json"] = R"({"a b": 6})";
  const auto added = read(contents);
  CHECK(added.vocabulary->piece(5) == "<e1>");
  CHECK(added.vocabulary->piece(6) == "<id:6>");
  CHECK(added.weights.at("masked.bias").at(5) == bias.at(5));
  CHECK(refusal_of(contents, "added_tokens.json", R"({"c": 7})") ==
        "added_tokens.json: token 'c' has id 7, but the model has 7 tokens");
}

TEST_CASE("special tokens of BERT may be objects") {
  const auto contents = bert_contents();
  const auto with_mask = [&](const std::string& token) {
    auto changed = contents;
    changed["tokenizer_config.json"] =
        R"({"do_lower_case": true, "mask_token": {"__type": "AddedToken", "content": ")" + token +
        R"(", "lstrip": false}, "pad_token": null})";
    return changed;
  };
  CHECK(read(with_mask("[MASK]")).vocabulary->size() == 7);
  CHECK(message_of([&] { read(with_mask("<mask>")); }) ==
        "tokenizer_config.json: setting 'mask_token' is '<mask>': another mask is not supported");
}

TEST_CASE("null is the default of a setting of BERT, but no positions are not supported") {
  auto contents = contents_of_bert(sample(Task::kClassify, Switch::kOn));
  const auto settings = model::to_settings(read(contents).config);
  auto& config = contents.at("config.json");
  config = replaced(config, "{", "{\"num_labels\": null, \"problem_type\": null,");
  CHECK(model::to_settings(read(contents).config) == settings);
  config = replaced(config, "\"absolute\"", "null");
  CHECK(message_of([&] { read(contents); }) ==
        "config.json: setting 'position_embedding_type' is 'null': another kind of positions is "
        "not supported");
}

TEST_CASE("settings of BERT that are not supported are refused by name") {
  const auto contents = bert_contents();
  const auto config = contents.at("config.json");
  const auto refusal = [&](const std::string& before, const std::string& after) {
    return refusal_of(contents, "config.json", replaced(config, before, after));
  };
  CHECK(refusal("BertForPreTraining", "BertForMultipleChoice") ==
        "config.json: setting 'architectures': [\"BertForMultipleChoice\"] is not supported");
  CHECK(refusal("absolute", "relative_key") ==
        "config.json: setting 'position_embedding_type' is 'relative_key': another kind of "
        "positions is not supported");
  CHECK(refusal("\"gelu\"", "\"mish\"") ==
        "config.json: setting 'hidden_act': 'mish' is not supported");
  CHECK(refusal("{", "{\"odd\": 1,") == "config.json: setting 'odd' (1) is not known");
  CHECK(refusal("\"vocab_size\": 7", "\"vocab_size\": 8") ==
        "model.safetensors: array 'bert.embeddings.word_embeddings.weight' is F32 [7, 4], but "
        "'embedding' requires F32 [8, 4]");
  CHECK(refusal_of(contents, "vocab.txt", contents.at("vocab.txt") + "c\n") ==
        "vocab.txt: the vocabulary has 8 tokens, but the model has 7");
  CHECK(refusal_of(contents, "tokenizer_config.json",
                   "{\"do_lower_case\": true, \"strip_accents\": false}") ==
        "tokenizer_config.json: setting 'strip_accents' is 'false': this treatment of accents in "
        "this case is not supported");
}

TEST_CASE("a BERT that Hugging Face cannot express is refused") {
  auto model = small_bert();
  const auto refusal = [&](const auto& write) { return message_of([&] { write("x", model); }); };
  CHECK(refusal(write_ctranslate2_model) ==
        "models of architecture bert cannot be converted for CTranslate2");
  CHECK(refusal(write_marian_model) ==
        "models of architecture bert cannot be converted for Marian");
  model.config.transformer.d_v = 8;
  CHECK(refusal(write_hugging_face_model) ==
        "d-k and d-v must be d-model / heads for BERT of Hugging Face");
  model.config.transformer.d_v = 4;
  TokenList list;
  list.tokens = {"<unk>", "</s>", "a"};
  model.vocabulary = vocabulary_of(list);
  CHECK(refusal(write_hugging_face_model) ==
        "the vocabulary must be of type bert for BERT of Hugging Face");
}

}  // namespace
