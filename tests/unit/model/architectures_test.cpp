// The registry of architectures, and checkpoints that name one.
#include "model/architectures.hpp"

#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::model {
namespace {

Config tiny_config() {
  Config config = preset("tiny");
  config.vocabulary = 20;
  return config;
}

/// The error of reading a checkpoint with these settings, and no arrays.
std::string error_of(const std::string& path, const store::Settings& settings) {
  store::ArrayWriter writer(path, {},
                            {{std::string(store::keys::kFormat), "1"},
                             {std::string(store::keys::kConfig), settings.to_json()}});
  writer.commit();
  return tests::message_of([&] { read_config(store::ArrayFile(path)); });
}

}  // namespace

TEST_CASE("each registered architecture declares parameters, and generates text or encodes it") {
  REQUIRE_FALSE(architecture_names().empty());
  for (const auto name : architecture_names()) {
    auto config = tiny_config();
    config.architecture = name;
    nn::Parameters parameters;
    const auto model = make_model(config, parameters);
    CHECK(parameters.size() > 0);
    CHECK(model->config().architecture == name);
    CAPTURE(name);
    if (const auto* const seq2seq = model->as_seq2seq()) {
      CHECK(seq2seq->projection().rows == config.vocabulary);
      CHECK(model->is_table(seq2seq->projection()));
      CHECK(&require_seq2seq(*model) == seq2seq);
      CHECK(tests::message_of([&] { require_encoder(*model); }).ends_with("does not encode it"));
    } else {
      REQUIRE(model->as_encoder() != nullptr);
      CHECK(require_encoder(*model).classes() == config.vocabulary);
      CHECK(tests::message_of([&] { require_seq2seq(*model); }).ends_with("generate text"));
    }
    CHECK(from_settings(to_settings(config), "file").architecture == name);
  }
}

TEST_CASE("the architecture of a Transformer is the default and is not written") {
  CHECK_FALSE(to_settings(tiny_config()).find("architecture"));
  CHECK(from_settings(to_settings(tiny_config()), "file").architecture == "transformer");
}

TEST_CASE("memory networks of an earlier version must be trained again") {
  const tests::Scratch scratch;
  const auto path = scratch.path("old");
  // Its linear start was a switch.
  auto settings = to_settings(preset("memory-3hop"));
  settings.set("linear-start", "on");
  const std::vector<float> values(20 * 20);
  const std::vector<store::Array> layout = {
      {.name = "answer_embedding", .type = store::Type::F32, .shape = {20, 20}, .bytes = {}}};
  store::ArrayWriter writer(path, layout,
                            {{std::string(store::keys::kFormat), "1"},
                             {std::string(store::keys::kConfig), settings.to_json()}});
  writer.write(std::as_bytes(std::span(values)));
  writer.commit();
  CHECK(
      tests::message_of([&] { read_config(store::ArrayFile(path)); }) ==
      path +
          ": a memory network of an earlier version, which predicted the ends of answers; train it "
          "again");
}

TEST_CASE("an unknown architecture is refused with the file and the available ones") {
  const tests::Scratch scratch;
  const auto path = scratch.path("model.safetensors");
  auto config = tiny_config();
  config.architecture = "perceptron";
  const std::string expected = "unknown architecture 'perceptron' (available: transformer";
  CHECK(error_of(path, to_settings(config)).starts_with(path + ": " + expected));
  // The settings of another architecture need not be known.
  store::Settings other;
  other.set("architecture", "perceptron");
  CHECK(error_of(path, other).starts_with(path + ": " + expected));
  nn::Parameters parameters;
  CHECK(tests::message_of([&] { make_seq2seq(config, parameters); }).starts_with(expected));
}

}  // namespace awend::model
