// Lower case by Unicode's full rules.
#include "text/case.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using awend::text::lower_case;

TEST_CASE("letters become small, and nothing else changes") {
  CHECK(lower_case("") == "");
  CHECK(lower_case("Zwölf Äpfel, 12 ÉTÉ!") == "zwölf äpfel, 12 été!");
  CHECK(lower_case("STRAẞE") == "straße");
  CHECK(lower_case("İ I") == "i\u0307 i");      // no language's rule for the dotless i
  CHECK(lower_case("ΟΔΟΣ ΣΑΣ") == "οδος σας");  // a sigma at the end of a word has its own form
}

TEST_CASE("lower case is Python's, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("unicode/normalization.jsonl");
  if (!path) return;
  const auto cases = awend::tests::read_json_lines(*path);
  REQUIRE(cases.size() > 100);
  for (const auto& line : cases) {
    INFO(line["id"]);
    CHECK(lower_case(line["in"].get<std::string>()) == line["lower"].get<std::string>());
  }
}

}  // namespace
