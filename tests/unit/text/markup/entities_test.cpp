#include "text/markup/entities.hpp"

#include <string>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

/// "4:26" is the character U+0026 in 4 bytes, "4:" bytes to keep, "-" text.
std::string read(std::string_view text, MarkupLanguage language = MarkupLanguage::kHtml) {
  const auto reference = read_reference(text, language);
  if (!reference) return "-";
  std::string result = std::to_string(reference->size_bytes) + ":";
  if (reference->character) result += std::to_string(static_cast<unsigned>(*reference->character));
  return result;
}

std::string escaped(std::string_view text, MarkupLanguage language) {
  std::string out;
  append_escaped(text, language, out);
  return out;
}

TEST_CASE("references are read") {
  CHECK(read("&amp;x") == "5:38");
  CHECK(read("&auml;") == "6:228");
  CHECK(read("&lang;") == "6:" + std::to_string(0x27E8));
  CHECK(read("&Auml;") == "6:196");
  CHECK(read("&zwnj;") == "6:8204");
  CHECK(read("&apos;") == "6:39");
  CHECK(read("&#228;") == "6:228");
  CHECK(read("&#xe4;") == "6:228");
  CHECK(read("&#X1F600;") == "9:128512");
  CHECK(read("&#x000000E9;") == "12:233");
  CHECK(read("&copy 2020") == "5:169");
  CHECK(read("&amp") == "4:38");
  CHECK(read("&quot;", MarkupLanguage::kXml) == "6:34");
}

TEST_CASE("what is not known or not text is kept") {
  CHECK(read("&product;") == "9:");
  CHECK(read("&auml;", MarkupLanguage::kXml) == "6:");
  CHECK(read("&#10;") == "5:");
  CHECK(read("&#0;") == "4:");
  CHECK(read("&#150;") == "6:");
  CHECK(read("&#xD800;") == "8:");
  CHECK(read("&#x110000;") == "10:");
}

TEST_CASE("other signs are text") {
  for (const char* text : {"&", "& ", "&;", "&#;", "&#x;", "&#12", "&#12x;", "&amplifier", "&apos",
                           "&alpha", "&#123456789012;", "&#xfffffffff;"})
    CHECK(read(text) == "-");
  CHECK(read("&amp", MarkupLanguage::kXml) == "-");
  CHECK(read("&" + std::string(1000, 'a') + ";") == "-");
}

TEST_CASE("text is escaped") {
  CHECK(escaped("a<b>&\u00A0\"'\u00E0", MarkupLanguage::kHtml) == "a&lt;b&gt;&amp;&nbsp;\"'\u00E0");
  CHECK(escaped("<\u00A0", MarkupLanguage::kXml) == "&lt;\u00A0");
  CHECK(escaped("<&", MarkupLanguage::kNone) == "<&");
}

}  // namespace
