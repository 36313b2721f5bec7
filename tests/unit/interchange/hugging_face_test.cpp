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

const std::string kGeneration = "generation_config.json";

TEST_CASE("settings of generate() become those of the search") {
  const auto model = read_with(
      R"("repetition_penalty": 1.3, "no_repeat_ngram_size": 3, "min_length": 5,)"
      R"( "num_beam_groups": 1, "suppress_tokens": [], "encoder_no_repeat_ngram_size": 0,)"
      R"( "guidance_scale": null)",
      kGeneration);
  // One token of all lengths is the start token, and one of the longest is the end.
  CHECK(model.search.entries() == Entries{{"beam-size", "6"},
                                          {"alpha", "1"},
                                          {"length-penalty", "power"},
                                          {"max-length-ratio", "0"},
                                          {"max-length-extra", "510"},
                                          {"min-length-extra", "4"},
                                          {"no-repeat-ngram", "3"},
                                          {"repetition-penalty", "1.3"}});
  CHECK(model.notes.size() == 1);  // the format
  const auto fresh =
      read_with(R"("max_new_tokens": 30, "min_new_tokens": 5, "min_length": 2)", kGeneration);
  CHECK(fresh.search.at("max-length-extra") == "29");
  CHECK(fresh.search.at("min-length-extra") == "5");
}

TEST_CASE("generation_config.json replaces settings of config.json") {
  const auto repeats = R"("repetition_penalty": 1.3, "num_beams": 2)";
  const auto replaced = read_with(repeats).search;
  CHECK(replaced.at("beam-size") == "6");
  CHECK(replaced.at("repetition-penalty") == "1");
  auto contents = hugging_face_contents();
  contents.erase(kGeneration);
  contents.at("config.json").insert(1, std::string(repeats) + ", ");
  ModelFiles files(contents);
  CHECK(read_model(files).search.at("repetition-penalty") == "1.3");
}

TEST_CASE("settings of generate() that translate does not have are noted") {
  for (const std::string setting :
       {"suppress_tokens\": [2]", "num_beam_groups\": 2", "sequence_bias\": [[[2], -1.0]]",
        "forced_bos_token_id\": 0", "encoder_repetition_penalty\": 1.5"}) {
    const auto name = setting.substr(0, setting.find('"'));
    const auto note = "setting '" + name + "' of the original is not used";
    CAPTURE(note);
    const auto notes = read_with("\"" + setting, kGeneration).notes;
    REQUIRE(notes.size() == 2);
    CHECK(notes.back() == note);
    CHECK(read_with("\"" + setting).notes.back() == note);
  }
}

TEST_CASE("ids that MarianMT never generates are masked, whichever file has them") {
  const auto masked = [](const std::string& settings, const std::string& file) {
    return read_with(settings, file).config.transformer.masked_ids;
  };
  CHECK(masked(R"("bad_words_ids": [[1], [3]])", kGeneration) == std::vector<std::uint32_t>{1, 3});
  CHECK(message_of([&] { masked(R"("bad_words_ids": [[1, 3]])", kGeneration); }) ==
        "generation_config.json: '1,3' is not a single id in 'bad_words_ids'");
}

}  // namespace
