#include "text/folded_text.hpp"

#include <string>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::string origins(const FoldedText& folded) {
  std::string all;
  for (std::size_t at = 0; at <= folded.text().size(); ++at) {
    const auto origin = folded.origin(at);
    all += origin ? std::to_string(*origin) + " " : "? ";
  }
  return all;
}

TEST_CASE("folding removes what normalization can change, and keeps the positions") {
  const FoldedText text("A\u00C4b\uFB01\u00DF", Folding::kCompatibility);
  CHECK(text.text() == "aa\u0308bfiss");
  CHECK(origins(text) == "0 1 ? ? 3 4 ? 7 ? 9 ");
  CHECK(FoldedText("\u00C4e\u0301x", Folding::kLetters).text() == "aex");
  CHECK(origins(FoldedText("\u00C4e\u0301x", Folding::kLetters)) == "0 2 5 6 ");
}

TEST_CASE("text that folding does not change has its own positions") {
  CHECK(FoldedText("\u00C4", Folding::kNone).text() == "\u00C4");
  CHECK(origins(FoldedText("\u00C4", Folding::kNone)) == "0 1 2 ");
  CHECK(origins(FoldedText("\u4E00\xC3", Folding::kCompatibility)) == "0 1 2 3 4 ");
  CHECK(origins(FoldedText("", Folding::kLetters)) == "0 ");
}

}  // namespace
