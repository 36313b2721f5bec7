// The output of T5 and mT5, which versions of transformers describe in different ways.
#include "interchange/hugging_face_t5.hpp"

#include "interchange/read_model.hpp"
#include "model/config.hpp"
#include "store/array_file.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::OutputScale;
using model::Tie;

/// What the file has as the output: nothing, a copy of the embeddings, or other weights.
enum class Output { kNone, kCopy, kOwn };

/// The file, whose output is a copy, with another one.
std::string with_output(const std::string& file, Output output) {
  const Scratch scratch;
  const store::ArrayFile before(scratch.write("before", file));
  auto arrays = before.arrays();
  const std::vector<float> own(12 * kSize, 0.5f);
  for (auto& array : arrays) {
    if (array.name == "lm_head.weight" && output == Output::kOwn)
      array.bytes = std::as_bytes(std::span(own));
  }
  if (output == Output::kNone)
    std::erase_if(arrays, [](const auto& array) { return array.name == "lm_head.weight"; });
  store::write_arrays(scratch.path("after"), arrays, {});
  return Scratch::read(scratch.path("after"));
}

/// A model of a type with settings of its output.
ConvertedModel read_with(const std::string& type, const std::string& settings, Output output) {
  auto contents = t5_contents();
  contents["model.safetensors"] = with_output(contents.at("model.safetensors"), output);
  auto& config = contents.at("config.json");
  for (const auto& [before, after] :
       {std::pair(std::string("\"t5\""), "\"" + type + "\""),
        std::pair(std::string("\"tie_word_embeddings\": false"), settings)})
    config.replace(config.find(before), before.size(), after);
  ModelFiles files(contents);
  return read_model(files);
}

TEST_CASE("the output of T5 and mT5 is tied and scaled as in the version that wrote the files") {
  constexpr auto kScaled = OutputScale::kInverseRootOfColumns, kPlain = OutputScale::kOne;
  const std::string tied = R"("tie_word_embeddings": true)",
                    free = R"("tie_word_embeddings": false)",
                    scaled = tied + R"(, "scale_decoder_outputs": true)",
                    plain = tied + R"(, "scale_decoder_outputs": false)",
                    version4 = R"(, "transformers_version": "4.57.6")",
                    version5 = R"(, "transformers_version": "5.24.0")";
  struct Case {
    std::string type, settings;
    Output output;
    Tie tie;
    OutputScale scale;
  };
  const Case cases[] = {
      // Before version 5, tie_word_embeddings decided both.
      {"t5", tied, Output::kNone, Tie::kAll, kScaled},
      {"t5", tied + version4, Output::kCopy, Tie::kAll, kScaled},
      {"t5", free + version4, Output::kOwn, Tie::kEmbeddings, kPlain},
      {"mt5", tied, Output::kCopy, Tie::kAll, kScaled},
      {"mt5", tied + version4, Output::kNone, Tie::kAll, kScaled},
      {"mt5", free + version4, Output::kOwn, Tie::kEmbeddings, kPlain},
      {"mt5", tied + version4, Output::kOwn, Tie::kEmbeddings, kPlain},
      // Since then, the weights decide whether they are tied.
      {"t5", scaled + version5, Output::kNone, Tie::kAll, kScaled},
      {"t5", scaled + version5, Output::kOwn, Tie::kEmbeddings, kScaled},
      {"t5", plain + version5, Output::kCopy, Tie::kAll, kPlain},
      {"t5", plain + version5, Output::kOwn, Tie::kEmbeddings, kPlain},
      {"mt5", tied + version5, Output::kNone, Tie::kAll, kPlain},
      {"mt5", tied + version5, Output::kOwn, Tie::kEmbeddings, kPlain},
  };
  for (const auto& [type, settings, output, tie, scale] : cases) {
    CAPTURE(type, settings, static_cast<int>(output));
    const auto model = read_with(type, settings, output);
    CHECK(model.config.transformer.tie == tie);
    CHECK(model.config.transformer.output_scale == scale);
    REQUIRE(model.weights.contains("projection") == (tie == Tie::kEmbeddings));
    if (output == Output::kOwn)
      CHECK(model.weights.at("projection") == std::vector<float>(12 * kSize, 0.5f));
  }
  CHECK(message_of([&] { read_with("mt5", plain, Output::kOwn); }) ==
        "config.json: setting 'scale_decoder_outputs' (false) is not known");
  CHECK(message_of([&] { read_with("t5", free, Output::kNone); }) ==
        "model.safetensors: no array 'lm_head.weight'");
}

}  // namespace
