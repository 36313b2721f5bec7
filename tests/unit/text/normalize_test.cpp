#include "text/normalize.hpp"

#include <nlohmann/json.hpp>
#include <random>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::text;

TEST_CASE("one text has one spelling") {
  const std::string decomposed = "e\u0301 \uFB01 \u00A0";
  CHECK(normalize(decomposed, Normalization::kNone) == decomposed);
  CHECK(normalize(decomposed, Normalization::kNfc) == "\u00E9 \uFB01 \u00A0");
  CHECK(normalize(decomposed, Normalization::kNfkc) == "\u00E9 fi  ");
  CHECK(normalize(std::string_view("a\0b", 3), Normalization::kNfc) == std::string("a\0b", 3));
  CHECK(normalize("", Normalization::kNfkc).empty());
}

TEST_CASE("control characters go, the white ones among them leave a space") {
  CHECK(without_control("a\tb\x01\x7F\u0085c\r") == "a b c");
  CHECK(without_control("a\rb\f\v\u200B\u00AD") == "a b  \u200B\u00AD");
  CHECK(without_control("\r").empty());
}

TEST_CASE("a form is everything that is done to a line") {
  const TextForm lower = {.normalization = Normalization::kNfkc, .letter_case = LetterCase::kLower};
  CHECK(normalize("STRASSE \u210C \uFB01 \u0130", lower) == "strasse h fi i\u0307");
  CHECK(normalize("ΑΣ ΣΑ", TextForm{.letter_case = LetterCase::kLower}) == "ας σα");
  Normalizer normalizer({.control = ControlCharacters::kRemove});
  CHECK(normalizer.apply("e\u0301\x02\r") == "\u00E9");
  const std::string plain = "as it is";
  CHECK(Normalizer({}).apply(plain).data() == plain.data());
}

TEST_CASE("the table for plain text agrees with ICU") {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string line;
    for (int i = 0; i < 6; ++i)
      awend::base::append_code_point(line, 1 + random() % (round % 2 ? 0x600 : 0x180));
    // Text after a character that is not in the table is processed by ICU.
    for (const auto form : {Normalization::kNfc, Normalization::kNfkc}) {
      const std::string expected = normalize("\u4E00" + line, form).substr(3);
      if (normalize(line, form) != expected && !line.starts_with("\u0300")) {
        // A mark at the front would join the character before it.
        const auto first = awend::base::utf8_step(line, 0).code_point;
        if (first < 0x300 || first > 0x36F) FAIL(line);
      }
    }
  }
}

TEST_CASE("a flood of marks is put in order, as a few are") {
  const auto flood = [](int pairs) {
    std::string line = "e";
    for (int i = 0; i < pairs; ++i) line += "\u0301\u0316";
    return line;
  };
  const auto ordered = [](int pairs) {
    std::string line = "\u00E9";
    for (int i = 0; i < pairs; ++i) line += "\u0316";
    for (int i = 1; i < pairs; ++i) line += "\u0301";
    return line;
  };
  for (const int pairs : {1, 2, 15, 16, 17, 500'000})
    CHECK((normalize(flood(pairs), Normalization::kNfc) == ordered(pairs)));
}

TEST_CASE("forms have names") {
  for (const auto form : {Normalization::kNone, Normalization::kNfc, Normalization::kNfkc}) {
    CHECK(awend::base::value_of<kNormalizationWords>(name_of(form)) == form);
  }
  CHECK(awend::tests::message_of([] { awend::base::value_of<kNormalizationWords>("nfd"); }) ==
        "must be nfc, nfkc or none, got 'nfd', did you mean 'nfc'?");
}

TEST_CASE("NFC and NFKC are those of the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("unicode/normalization.jsonl");
  if (!path) return;
  const auto cases = awend::tests::read_json_lines(*path);
  REQUIRE(cases.size() > 300);
  for (const auto& line : cases) {
    CAPTURE(line["id"]);
    const std::string in = line["in"];
    CHECK(normalize(in, Normalization::kNfc) == line["NFC"].get<std::string>());
    CHECK(normalize(in, Normalization::kNfkc) == line["NFKC"].get<std::string>());
  }
}

}  // namespace
