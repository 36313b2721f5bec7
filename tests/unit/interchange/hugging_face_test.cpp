// MarianMT of Hugging Face: the settings of published models, and those of generate(), which T5 and
// the multilingual models have, too.
#include "interchange/read_model.hpp"
#include "model/config.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;

/// The smallest model, with more settings in one of its files.
ConvertedModel read_with(const std::string& settings, const std::string& file = "config.json") {
  auto contents = hugging_face_contents();
  contents.at(file).insert(1, settings + ", ");
  ModelFiles files(contents);
  return read_model(files);
}

/// The same without generation_config.json, so that config.json has the settings of generate().
ConvertedModel read_alone(const std::string& settings) {
  auto contents = hugging_face_contents();
  contents.erase("generation_config.json");
  contents.at("config.json").insert(1, settings + ", ");
  ModelFiles files(contents);
  return read_model(files);
}

std::string refusal_of(const std::string& settings) {
  return message_of([&] { read_with(settings); });
}

TEST_CASE("settings that MarianMT does not use are ignored") {
  // As in Helsinki-NLP/opus-mt-en-vi.
  const auto model =
      read_with(R"("extra_pos_embeddings": 53685, "force_bos_token_to_be_generated": false)");
  CHECK(model::to_settings(model.config) ==
        model::to_settings(read_with(R"("dropout": 0)").config));
  CHECK(refusal_of(R"("static_position_embeddings": false)") ==
        "config.json: setting 'static_position_embeddings' is 'false': learned positions is not "
        "supported");
  CHECK(refusal_of(R"("extra": 1)") == "config.json: setting 'extra' (1) is not known");
}

TEST_CASE("null is the default of a setting") {
  const auto plain = model::to_settings(read_with(R"("dropout": 0)").config);
  for (const std::string name :
       {"decoder_vocab_size", "normalize_embedding", "normalize_before", "add_final_layer_norm",
        "static_position_embeddings", "architectures", "num_beams", "max_length"}) {
    CAPTURE(name);
    CHECK(model::to_settings(read_alone("\"" + name + "\": null").config) == plain);
  }
}

const std::string kGeneration = "generation_config.json";

TEST_CASE("settings of generate() become those of the search") {
  const auto model = read_with(
      R"("repetition_penalty": 1.3, "no_repeat_ngram_size": 3, "min_length": 5,)"
      R"( "num_beam_groups": 1, "suppress_tokens": [], "encoder_no_repeat_ngram_size": 0,)"
      R"( "guidance_scale": null)",
      kGeneration);
  // One token of all lengths is the start token.
  CHECK(model.search.entries() == Entries{{"beam-size", "6"},
                                          {"alpha", "1"},
                                          {"length-penalty", "power"},
                                          {"max-length-ratio", "0"},
                                          {"max-length-extra", "511"},
                                          {"min-length-extra", "4"},
                                          {"no-repeat-ngram", "3"},
                                          {"repetition-penalty", "1.3"}});
  CHECK(model.notes.size() == 1);  // the format
  const auto fresh =
      read_with(R"("max_new_tokens": 30, "min_new_tokens": 5, "min_length": 2)", kGeneration);
  CHECK(fresh.search.at("max-length-extra") == "30");
  CHECK(fresh.search.at("min-length-extra") == "5");
}

TEST_CASE("an end that is forced is one of the tokens of the maximum length") {
  const auto longest = [](const ConvertedModel& model) {
    return model.search.at("max-length-extra");
  };
  CHECK(longest(read_with(R"("forced_eos_token_id": 0)", kGeneration)) == "510");
  CHECK(longest(read_with(R"("forced_eos_token_id": null)", kGeneration)) == "511");
  // The class of config.json has a default.
  CHECK(longest(read_alone(R"("max_length": 100)")) == "98");
  CHECK(longest(read_alone(R"("max_length": 100, "forced_eos_token_id": null)")) == "99");
}

TEST_CASE("numbers that the search does not support are replaced, and noted") {
  const auto model =
      read_alone(R"("length_penalty": -1.0, "repetition_penalty": 1000, "num_beams": 0,)"
                 R"( "no_repeat_ngram_size": 2000, "max_new_tokens": 2147483647)");
  CHECK(model.search.entries() == Entries{{"beam-size", "1"},
                                          {"alpha", "1"},
                                          {"length-penalty", "power"},
                                          {"max-length-ratio", "0"},
                                          {"max-length-extra", "1000000"}});
  const std::vector<std::string> notes(model.notes.begin() + 1, model.notes.end());
  CHECK(notes ==
        std::vector<std::string>{
            "setting 'num_beams' of the original is 0, which the search does not support; it is 1 "
            "here",
            "setting 'length_penalty' of the original is -1, which the search does not support; it "
            "is 1 here",
            "setting 'no_repeat_ngram_size' of the original is 2000, which the search does not "
            "support; it is 0 here",
            "setting 'repetition_penalty' of the original is 1000, which the search does not "
            "support; it is 1 here"});
}

TEST_CASE("generation_config.json has the start token") {
  CHECK(read_with(R"("decoder_start_token_id": 2)", kGeneration).config.start_id == 2);
  CHECK(read_with(R"("decoder_start_token_id": null)", kGeneration).config.start_id == 3);
  const std::string own = R"("decoder_start_token_id": 3)";
  for (const std::string setting : {R"("x": 0)", R"("decoder_start_token_id": null)"}) {
    auto contents = hugging_face_contents();
    auto& config = contents.at("config.json");
    config.replace(config.find(own), own.size(), setting == R"("x": 0)" ? R"("_x": 0)" : setting);
    CHECK(message_of([&] {
            ModelFiles files(contents);
            read_model(files);
          }) == "generation_config.json: no setting 'decoder_start_token_id'");
    contents.at(kGeneration).insert(1, R"("decoder_start_token_id": 2, )");
    ModelFiles files(contents);
    CHECK(read_model(files).config.start_id == 2);
  }
}

TEST_CASE("translations end with the end of the sentence only") {
  for (const std::string end : {"0", "[0]", "null"})
    CHECK_NOTHROW(read_with("\"eos_token_id\": " + end, kGeneration));
  for (const std::string end : {"[0,2]", "2"}) {
    const auto refusal =
        "setting 'eos_token_id' is '" + end + "': another end than 0 (</s>) is not supported";
    CHECK(message_of([&] { read_with("\"eos_token_id\": " + end, kGeneration); }) ==
          kGeneration + ": " + refusal);
    CHECK(message_of([&] { read_alone("\"eos_token_id\": " + end); }) == "config.json: " + refusal);
  }
}

TEST_CASE("a MarianMT has the SentencePiece models of both sides, or none") {
  CHECK(read_with(R"("dropout": 0)").warnings ==
        std::vector<std::string>{"source.spm: no such file, so that text is split at spaces only; "
                                 "copy it and target.spm from the original model"});
  for (const std::string present : {"source.spm", "target.spm"}) {
    auto contents = hugging_face_contents();
    contents[present] = "";
    ModelFiles files(contents);
    CHECK(message_of([&] { read_model(files); }) ==
          (present == "source.spm" ? "target.spm" : "source.spm") +
              std::string(": no such file; copy it from the original model"));
  }
}

TEST_CASE("generation_config.json replaces settings of config.json") {
  const auto repeats = R"("repetition_penalty": 1.3, "num_beams": 2)";
  const auto replaced = read_with(repeats).search;
  CHECK(replaced.at("beam-size") == "6");
  CHECK_FALSE(replaced.find("repetition-penalty"));
  CHECK(read_alone(repeats).search.at("repetition-penalty") == "1.3");
  // As in transformers, also those that it lacks.
  auto contents = hugging_face_contents();
  contents[kGeneration] = "{}";
  contents.at("config.json").insert(1, R"("max_length": 100, )");
  ModelFiles files(contents);
  CHECK(read_model(files).search.entries() ==
        Entries{{"beam-size", "1"}, {"alpha", "1"}, {"length-penalty", "power"}});
}

TEST_CASE("config.json decides if generation_config.json was made from it") {
  const auto beam = [](const std::string& config, const std::string& generation) {
    auto contents = hugging_face_contents();
    contents[kGeneration] = generation;
    contents.at("config.json").insert(1, config);
    ModelFiles files(contents);
    return read_model(files).search.at("beam-size");
  };
  const std::string setting = R"("max_length": 100, "num_beams": 5, )";
  CHECK(beam(setting, R"({"num_beams": 4})") == "4");
  CHECK(beam(setting, R"({"num_beams": 4, "_from_model_config": false})") == "4");
  CHECK(beam(setting, R"({"num_beams": 4, "_from_model_config": true})") == "5");
}

TEST_CASE("settings of generate() that translate does not have are noted") {
  for (const std::string setting :
       {"suppress_tokens\": [2]", "num_beam_groups\": 2", "sequence_bias\": [[[2], -1.0]]",
        "forced_bos_token_id\": 0", "encoder_repetition_penalty\": 1.5", "early_stopping\": true",
        "early_stopping\": false", "renormalize_logits\": false"}) {
    const auto name = setting.substr(0, setting.find('"'));
    const auto note = "setting '" + name + "' of the original is not used";
    CAPTURE(note);
    const auto notes = read_with("\"" + setting, kGeneration).notes;
    REQUIRE(notes.size() == 2);
    CHECK(notes.back() == note);
    CHECK(read_with("\"" + setting).notes.size() == 1);
    CHECK(read_alone("\"" + setting + ", \"num_beams\": 4").notes.back() == note);
  }
  for (const std::string setting :
       {"early_stopping\": \"never\"", "early_stopping\": null", "renormalize_logits\": true"}) {
    CAPTURE(setting);
    CHECK(read_with("\"" + setting, kGeneration).notes.size() == 1);
  }
  // Only beam search stops early.
  CHECK(read_alone(R"("early_stopping": true)").notes.size() == 1);
}

TEST_CASE("ids that MarianMT never generates are masked") {
  const auto masked = [](const std::string& settings, const std::string& file) {
    return read_with(settings, file).config.transformer.masked_ids;
  };
  CHECK(masked(R"("bad_words_ids": [[1], [3]])", kGeneration) == std::vector<std::uint32_t>{1, 3});
  // Those of config.json are then not used.
  auto contents = hugging_face_contents();
  contents[kGeneration] = R"({"bad_words_ids": [[1]]})";
  auto& config = contents.at("config.json");
  config.replace(config.find("[[3]]"), 5, "[[2]]");
  for (const auto& [with_file, expected] : {std::pair(true, std::vector<std::uint32_t>{1, 3}),
                                            std::pair(false, std::vector<std::uint32_t>{2, 3})}) {
    if (!with_file) contents.erase(kGeneration);
    ModelFiles files(contents);
    CHECK(read_model(files).config.transformer.masked_ids == expected);
  }
  CHECK(message_of([&] { masked(R"("bad_words_ids": [[1, 3]])", kGeneration); }) ==
        "generation_config.json: '1,3' is not a single id in 'bad_words_ids'");
  for (const std::string lists : {"[260]", "260", "[\"1\"]"}) {
    CHECK(message_of([&] { masked("\"bad_words_ids\": " + lists, kGeneration); }) ==
          "generation_config.json: setting 'bad_words_ids': not a JSON list");
  }
  // transformers do not forbid the end.
  CHECK(masked(R"("bad_words_ids": [[0], [3]])", kGeneration) == std::vector<std::uint32_t>{3});
}

TEST_CASE("tokens of MarianMT may be added, and ids without a token are masked") {
  auto contents = hugging_face_contents();
  // The model has an id more than the list.
  contents.at("vocab.json") = R"({"</s>": 0, "<unk>": 1, "a": 2})";
  const auto read = [&] {
    ModelFiles files(contents);
    return read_model(files);
  };
  const auto padded = read();
  CHECK(padded.vocabulary->piece(3) == "<id:3>");
  CHECK(padded.config.transformer.masked_ids == std::vector<std::uint32_t>{3});
  contents["config.json"].replace(contents["config.json"].find("\"pad_token_id\": 3"), 17,
                                  "\"pad_token_id\": 1");
  CHECK(read().config.transformer.masked_ids == std::vector<std::uint32_t>{1, 3});
  contents["added_tokens.json"] = R"({"b": 3})";
  const auto added = read();
  CHECK(added.vocabulary->piece(3) == "b");
  CHECK(added.config.transformer.masked_ids == std::vector<std::uint32_t>{1});
  contents["added_tokens.json"] = R"({"b": 4})";
  CHECK(message_of(read) == "added_tokens.json: token 'b' has id 4, but the model has 4 tokens");
  contents.erase("added_tokens.json");
  contents["tokenizer_config.json"] = R"({"added_tokens_decoder": {"5": {"content": "c"}}})";
  CHECK(message_of(read) ==
        "tokenizer_config.json: token 'c' has id 5, but the model has 4 tokens");
}

}  // namespace
