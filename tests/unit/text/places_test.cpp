#include "text/places.hpp"

#include <string>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::string places(std::string_view tokens, std::string_view line,
                   std::string_view separator = "") {
  std::string text;
  for (const auto& [token, place] : place_tokens(tokens, line, separator)) {
    text += place ? std::to_string(place->first) + "-" + std::to_string(place->second) : "?";
    text += " ";
  }
  return text;
}

TEST_CASE("pieces have the position of their text, the first space has none") {
  CHECK(places("▁the ▁do g", "the dog") == "0-3 3-6 6-7 ");
  CHECK(places("▁ ▁the ▁", " the ") == "0-0 0-4 4-5 ");
  CHECK(places("", "").empty());
}

TEST_CASE("bytes of a character are adjacent") {
  CHECK(places("▁a <0xC3> <0xA9> <0x20>", "aé ") == "0-1 1-2 2-3 3-4 ");
}

TEST_CASE("separators are no text, markers are where there are separators") {
  CHECK(places("lo@@ w@@ er ▁", "lower  ▁", "@@") == "0-2 2-3 3-5 7-10 ");
  CHECK(places("@@", "@@", "@@") == "0-2 ");
}

TEST_CASE("normalized text has no position, but the text after it has") {
  CHECK(places("▁ fi sh ▁now", "\uFB01sh now") == "0-0 ? 3-5 5-9 ");
  CHECK(places("▁HELLO", "hello") == "? ");
}

}  // namespace
