#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using namespace awend::base;

std::string replaced(std::string_view text) {
  std::string out;
  append_valid_utf8(out, text);
  return out;
}

TEST_CASE("every code point survives writing and reading, surrogates do not") {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    std::string text;
    append_code_point(text, code_point);
    const Utf8Step step = utf8_step(text, 0);
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    if (step.valid == surrogate) FAIL("code point " << static_cast<unsigned>(code_point));
    if (!surrogate && (step.code_point != code_point || step.size_bytes != text.size())) {
      FAIL("code point " << static_cast<unsigned>(code_point));
    }
  }
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("a\u00e4\u2581\U0001F600") == 4);
}

TEST_CASE("one U+FFFD replaces each maximal subpart") {
  CHECK(replaced("\xE2\x82"
                 "a") == "\uFFFDa");                                  // cut short
  CHECK(replaced("\xC0\xAF") == "\uFFFD\uFFFD");                      // longer than needed
  CHECK(replaced("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");            // a surrogate
  CHECK(replaced("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // above U+10FFFF
  CHECK(replaced("\xF0\x9F\x92") == "\uFFFD");
  CHECK(replaced("a\xFFz") == "a\uFFFDz");
}

TEST_CASE("the first invalid byte is found at any position") {
  for (std::size_t place = 0; place < 40; ++place) {
    std::string text(40, 'a');
    CHECK(find_invalid_utf8(text) == std::string_view::npos);
    text[place] = '\x80';
    CHECK(find_invalid_utf8(text) == place);
  }
}

TEST_CASE("invalid bytes are replaced as the conformance data say", "[conformance]") {
  const auto path = awend::tests::conformance_file("unicode/invalid-utf8.jsonl");
  if (!path) return;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const std::string hex = line["bytes"];
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    CAPTURE(hex);
    CHECK((find_invalid_utf8(bytes) == std::string_view::npos) == line["valid"].get<bool>());
    CHECK(replaced(bytes) == line["replace"].get<std::string>());
  }
}

}  // namespace
