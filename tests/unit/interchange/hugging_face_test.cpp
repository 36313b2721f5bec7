// MarianMT of Hugging Face: the settings of published models.
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

}  // namespace
