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

}  // namespace awend::tests
