#include "text/normalize.hpp"

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

TEST_CASE("forms have names") {
  for (const auto form : {Normalization::kNone, Normalization::kNfc, Normalization::kNfkc}) {
    CHECK(normalization(name_of(form)) == form);
  }
  CHECK(awend::tests::message_of([] { normalization("nfd"); }) ==
        "unknown normalisation 'nfd': none, nfc or nfkc");
}

TEST_CASE("NFC and NFKC are those of the conformance data") {
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
