// The settings of a search in checkpoints.
#include "decode/search_settings.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::decode {
namespace {

SearchSettings stored(std::string_view json) {
  SearchSettings settings;
  apply_stored(store::Settings::from_json(json, "model"), settings);
  return settings;
}

std::string complaint(std::string_view json) {
  return tests::message_of([&] { stored(json); });
}

}  // namespace

TEST_CASE("a checkpoint sets some settings of the search, and the others have their defaults") {
  // As convert-model has always written them.
  const auto settings =
      stored(R"({"beam-size":6,"alpha":1.2,"length-penalty":"power","max-length-ratio":3,)"
             R"("max-length-extra":0,"unknown-tokens":"off"})");
  CHECK(settings.beam_size == 6);
  CHECK(settings.alpha == 1.2);
  CHECK(settings.length_penalty == LengthPenalty::kPower);
  CHECK(settings.max_length_ratio == 3);
  CHECK(settings.max_length_extra == 0);
  CHECK(settings.unknown_token == UnknownTokenUse::kExcluded);
  CHECK(settings.n_best == 1);
  CHECK(settings.rules == LogitRuleSettings{});
  CHECK(stored(R"({"no-repeat-ngram":3})").rules.no_repeat_ngram == 3);
  CHECK(stored("{}").beam_size == SearchSettings{}.beam_size);
}

TEST_CASE("settings of the search that are not known, or not in their domain, are errors") {
  CHECK(complaint(R"({"n-best":2})") == "unknown default of the search 'n-best'");
  CHECK(complaint(R"({"beam_size":2})") == "unknown default of the search 'beam_size'");
  CHECK(complaint(R"({"beam-size":0})") ==
        "default of the search 'beam-size': must be in [1, 100000], got 0");
  CHECK(complaint(R"({"length-penalty":"none"})") ==
        "default of the search 'length-penalty': must be gnmt or power, got 'none'");
}

TEST_CASE("each setting of the search is written as it is read") {
  const SearchSettings other{.beam_size = 7,
                             .alpha = 1.5,
                             .length_penalty = LengthPenalty::kPower,
                             .max_length_ratio = 2.5,
                             .max_length_extra = 9,
                             .unknown_token = UnknownTokenUse::kExcluded,
                             .rules = {.min_length_ratio = 0.25,
                                       .min_length_extra = 3,
                                       .no_repeat_ngram = 4,
                                       .repetition_penalty = 1.25,
                                       .unknown_penalty = 0.75}};
  for (const auto& field : search_fields()) {
    const auto text = field.text(other);
    CAPTURE(field.about.name, text);
    SearchSettings settings;
    CHECK(field.text(settings) != text);
    store::Settings entries;
    entries.set(field.about.name, text);
    apply_stored(entries, settings);
    CHECK(field.text(settings) == text);
    CHECK(!field.about.help.empty());
  }
}

TEST_CASE("samples replace the beam, and never have a token that is excluded") {
  SearchSettings settings{.beam_size = 4, .n_best = 7};
  complete_sampling(settings);
  CHECK(settings.beam_size == 4);
  settings.unknown_token = UnknownTokenUse::kExcluded;
  settings.sampling.emplace();
  complete_sampling(settings);
  CHECK(settings.beam_size == 7);
  CHECK(settings.rules.unknown_penalty > 1e300);
}

}  // namespace awend::decode
