#include "text/places.hpp"

#include <string>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::string places(std::string_view tokens, std::string_view line, std::string_view separator = "",
                   std::string_view continuation = "") {
  std::string text;
  for (const auto& [token, place] : place_tokens(tokens, line, separator, continuation)) {
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

TEST_CASE("text that normalization has changed is found by its folded form") {
  CHECK(places("▁ fi sh ▁now", "\uFB01sh now") == "0-0 0-3 3-5 5-9 ");
  CHECK(places("▁cafe \u0301 ▁.", "Ｃafe\u0301\u3000.") == "0-6 6-8 8-12 ");
  CHECK(places("▁caf\u00E9 s", "CAFE\u0301S") == "0-6 6-7 ");
  // A word that comes again.
  CHECK(places("▁сад ▁и ▁дом , ▁дом ▁и ▁дом ▁сад", "САД И ДОМ, ДОМ и дом САД") ==
        "0-6 6-9 9-16 16-17 17-24 24-27 27-34 34-41 ");
  CHECK(places("▁σίσ υ φ ος", "ΣΊΣΥΦΟΣ") == "0-6 6-8 8-10 10-14 ");
  // Bytes are those of the line, next to letters that are not.
  CHECK(places("▁д ом ▁ <0xEF> <0xAC> <0x81> s", "ДОМ \uFB01S") ==
        "0-2 2-6 6-7 7-8 8-9 9-10 10-11 ");
  // Without accents, as BERT has them.
  CHECK(places("gar ##con , ca", "Garçon, \u00C7A", "", "##") == "0-3 3-7 7-8 9-12 ");
}

TEST_CASE("normalized text without such a form has no position, but the text after it has") {
  CHECK(places("▁ f i sh ▁now", "\uFB01sh now") == "0-0 ? ? 3-5 5-9 ");
  CHECK(places("▁hullo", "hello") == "? ");
  // Not a later period that is another token's.
  CHECK(places("▁Warte . . . ▁Ende .", "Warte… Ende.") == "0-5 ? ? ? 8-13 13-14 ");
  CHECK(places("▁ f f ▁ f", "\uFB00 f") == "0-0 ? ? 3-4 4-5 ");
  CHECK(places("__de__ ▁Ein ▁Hund", "Ein Hund") == "? 0-3 3-8 ");
  CHECK(places("<s> ▁Da… ▁und ▁da . . . ▁und", "Da… und da… und") == "? 0-5 5-9 9-12 ? ? ? 15-19 ");
  // Between two changes, words that are there once.
  CHECK(places("▁wait . . . ▁and ▁go ▁and . . .", "wait… and go and…") ==
        "0-4 ? ? ? 7-11 11-14 14-18 ? ? ? ");
  CHECK(places("lo@@ w . . . hi@@ gh . . .", "low … high …", "@@") ==
        "0-2 2-3 ? ? ? 8-10 10-12 ? ? ? ");
}

TEST_CASE("pieces of BERT, words of Moses, and text without spaces") {
  CHECK(places("un ##bel ##ie ##vable , [UNK] !", "Unbelievable, \u4E00!", "", "##") ==
        "0-2 2-5 5-7 7-12 12-13 ? 17-18 ");
  CHECK(places("he wrote &quot; yes &quot; to &quot; all &quot; now",
               "he wrote \"yes\" to \"all\" now") == "0-2 3-8 ? 10-13 ? 15-17 ? 19-22 ? 24-27 ");
  CHECK(places("▁今天 , 天 气 很好 , 我们去 公园 , 好吗 ?", "今天，天气很好，我们去公园，好吗？") ==
        "0-6 6-9 9-12 12-15 15-21 21-24 24-33 33-39 39-42 42-48 48-51 ");
}

TEST_CASE("white space of the line that tokens do not have") {
  CHECK(places("▁a ▁b", " a \t b ") == "1-2 4-6 ");
  CHECK(places("a b", "  a   b  ", "@@") == "2-3 6-7 ");
  const std::string spaces(100'000, ' ');
  CHECK(places("▁a ▁b", "a" + spaces + "b") == "0-1 100000-100002 ");
}

}  // namespace
