// Models of Hugging Face, converted: their log-probabilities and translations are those that
// the toolkit, and an implementation in double precision, have.
#include "tests/properties/converted_case.hpp"

namespace awend::tests {

TEST_CASE("a converted MarianMT is the original", "[conformance]") {
  const auto directory = directory_of("hf-marian");
  if (!directory) return;
  for (const std::string file : {"", "/pytorch_model.bin"}) {
    CAPTURE(file);
    ConvertedCase model(*directory + file, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    check_search(model);
  }
  // Each of these settings matters.
  const auto with = [](const std::function<void(model::Config&)>& change) {
    return [change](interchange::ConvertedModel& it) { change(it.config); };
  };
  const auto wrong = [&](const std::function<void(model::Config&)>& change) {
    return ConvertedCase(*directory, *directory, with(change)).difference("target_logprobs");
  };
  using model::Switch;
  CHECK(wrong([](auto& it) { it.start_id = 1; }) > 1e-3);
  CHECK(wrong([](auto& it) {
          it.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
        }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.embedding_scale = nn::EmbeddingScale::kOne; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.source_end = Switch::kOff; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.attention_bias = Switch::kOff; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.output_bias = Switch::kOff; }) > 1e-3);
  ConvertedCase unmasked(*directory, *directory,
                         with([](auto& it) { it.transformer.masked_ids.clear(); }));
  CHECK(unmasked.difference("target_logprobs_with_pad") < kTolerance);
}

TEST_CASE("converted multilingual models of Hugging Face are the originals", "[conformance]") {
  for (const std::string name : {"hf-nllb", "hf-m2m100", "hf-mbart50"}) {
    const auto directory = directory_of(name);
    if (!directory) return;
    CAPTURE(name);
    ConvertedCase model(*directory, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    CHECK(model.same_ids() == model.size());
    model.leave_out_empty();
    model.limit_length(59);
    check_search(model);
    CHECK(model.same_texts() == model.size());
  }
}

TEST_CASE("a converted model of OPUS-MT is the original", "[conformance]") {
  const auto directory = directory_of("hf-opus-mt");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  CHECK(model.difference("target_logprobs64") < kTolerance);
  model.leave_out_empty();
  model.limit_length(60);
  check_search(model);
}

TEST_CASE("converted models of T5's architecture of Hugging Face are the originals",
          "[conformance]") {
  for (const std::string name : {"hf-madlad", "hf-mt5"}) {
    const auto directory = directory_of(name);
    if (!directory) return;
    CAPTURE(name);
    ConvertedCase model(*directory, *directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    CHECK(model.difference("target_logprobs64") < kTolerance);
    CHECK(model.same_ids() == model.size());
    model.limit_length(60);
    check_search(model);
    model.leave_out_empty();
    CHECK(model.same_texts() == model.size());
  }
  const auto directory = directory_of("hf-madlad");
  if (!directory) return;
  // Each of these settings matters.
  const auto wrong = [&](const std::function<void(model::Config&)>& change) {
    return ConvertedCase(*directory, *directory,
                         [&](interchange::ConvertedModel& it) { change(it.config); })
        .difference("target_logprobs");
  };
  using model::Switch;
  CHECK(wrong([](auto& it) { it.transformer.activation = nn::Activation::kGelu; }) > kTolerance);
  CHECK(wrong([](auto& it) {
          it.transformer.attention_scale = model::AttentionScale::kInverseRootOfKeys;
        }) > 1e-3);
  CHECK(wrong([](auto& it) {
          it.transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
        }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.relative_max_distance = 20; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.transformer.norm_epsilon = 1e-2; }) > 1e-3);
  CHECK(wrong([](auto& it) { it.start_id = 1; }) > 1e-3);
}

/// The files of a model with `before` in its settings replaced.
void copy_with(const std::string& directory, const Scratch& scratch, const std::string& before,
               const std::string& after) {
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    scratch.write(entry.path().filename().string(), Scratch::read(entry.path().string()));
  auto settings = Scratch::read(scratch.path("config.json"));
  REQUIRE(settings.find(before) != settings.npos);
  settings.replace(settings.find(before), before.size(), after);
  scratch.write("config.json", settings);
}

TEST_CASE("models of T5's architecture are the same as transformers 5 saves them",
          "[conformance]") {
  // It writes that the output is tied although these models have one of their own.
  for (const auto& [name, settings] :
       {std::pair("hf-madlad", R"("tie_word_embeddings": true, "scale_decoder_outputs": false)"),
        std::pair("hf-mt5", R"("tie_word_embeddings": true)")}) {
    const auto directory = directory_of(name);
    if (!directory) return;
    CAPTURE(name);
    const Scratch scratch;
    copy_with(*directory, scratch, R"("tie_word_embeddings": false)", settings);
    CHECK(ConvertedCase(scratch.folder(), *directory).difference("target_logprobs") < kTolerance);
  }
}

}  // namespace awend::tests
