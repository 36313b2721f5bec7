// Models of other toolkits, converted: their log-probabilities and translations are those that the
// toolkits, and an implementation in double precision, have.
#include "tests/properties/converted_case.hpp"

namespace awend::tests {

TEST_CASE("a converted model of fairseq is the original", "[conformance]") {
  const auto directory = directory_of("fairseq");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
  CHECK(model.same_answers(5, 1, "beam5_lenpen1", decode::LengthPenalty::kPower) >= 20);
}

TEST_CASE("a converted model of OpenNMT-py is the original", "[conformance]") {
  const auto directory = directory_of("onmt");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
}

TEST_CASE("a converted model of Sockeye is the original", "[conformance]") {
  const auto directory = directory_of("sockeye");
  if (!directory) return;
  ConvertedCase model(*directory, *directory);
  CHECK(model.converted().source_vocabulary.has_value());
  CHECK(model.difference("target_logprobs") < kTolerance);
  check_search(model);
}

TEST_CASE("converted models of CTranslate2 are the originals", "[conformance]") {
  const auto config = conformance_file("models/ct2/float32/config.json");
  if (!config) return;
  const auto root = std::filesystem::path(*config).parent_path().parent_path().string();
  for (const std::string type : {"/float32", "/float16", "/int16", "/int8"}) {
    CAPTURE(type);
    ConvertedCase model(root + type, root + type);
    CHECK(model.difference("target_logprobs") < kTolerance);
  }
  // Before version 5, the epsilon of normalization is not stored, which changes results by 1e-4.
  for (const std::string version : {"-v2", "-v3", "-v4", "-v5"}) {
    for (const std::string type : {"/float32", "/int8"}) {
      CAPTURE(type, version);
      ConvertedCase model(root + type + version, root + type);
      model.append_end();
      CHECK(model.difference("target_logprobs") < 2 * kTolerance);
    }
  }
}

TEST_CASE("a multilingual model of CTranslate2 with int8 weights is the original",
          "[conformance]") {
  const auto config = conformance_file("models/ct2-nllb/int8/config.json");
  if (!config) return;
  const auto directory = std::filesystem::path(*config).parent_path().string();
  ConvertedCase model(directory, directory);
  CHECK(model.difference("target_logprobs") < kTolerance);
  model.leave_out_empty();
  model.limit_length(59);
  CHECK(model.same_answers(1, 0, "greedy") == model.size());
}

TEST_CASE("models that CTranslate2's own converters wrote are the originals", "[conformance]") {
  for (const std::string name : {"ct2-marian", "ct2-opusmt", "ct2-opus-mt/float32",
                                 "ct2-nllb/float32", "ct2-madlad/float32"}) {
    const auto config = conformance_file("models/" + name + "/config.json");
    if (!config) return;
    CAPTURE(name);
    const auto directory = std::filesystem::path(*config).parent_path().string();
    ConvertedCase model(directory, directory);
    CHECK(model.difference("target_logprobs") < kTolerance);
    // Long ones were cut after 60 tokens; those of NLLB with that of the language.
    model.limit_length(name.starts_with("ct2-nllb") ? 59 : 60);
    model.leave_out_empty();
    CHECK(model.same_answers(1, 0, "greedy") == model.size());
    // CTranslate2's own beams end earlier, with translations that are less probable.
    const bool is_short = name == "ct2-marian" || name == "ct2-opusmt";
    if (!is_short) CHECK(model.same_answers(4, 0, "beam4_64") == model.size());
    const bool is_assumed = model.converted().assumed_source_end.has_value();
    CHECK(is_assumed == !is_short);
    if (!is_assumed) continue;
    CHECK(model.converted().assumed_source_end->starts_with(*config + ": 'add_source_eos' is "));
    ConvertedCase endless(directory, directory,
                          [](auto& it) { it.config.transformer.source_end = model::Switch::kOff; });
    CHECK(endless.difference("target_logprobs") > 1e-3);
  }
}

}  // namespace awend::tests
