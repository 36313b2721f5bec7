#include "text/protected_spans.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;
using Placeholders = ProtectionSettings::Placeholders;

std::string found(std::string_view text, std::vector<std::string> patterns = {},
                  Placeholders placeholders = Placeholders::kKeep) {
  ProtectedSpans spans({.patterns = std::move(patterns), .placeholders = placeholders});
  std::string result;
  for (const auto& range : spans.find(text))
    result += (result.empty() ? "" : "|") + std::string(range.of(text));
  return result;
}

TEST_CASE("placeholders") {
  CHECK(found("Dear {name}, {0} {{ user.first }} ${x} %{y} {}") ==
        "{name}|{0}|{{ user.first }}|${x}|%{y}|{}");
  CHECK(found("%s, %d. %1$s %-5.2f %(name)s %@ %ld") == "%s|%d|%1$s|%-5.2f|%(name)s|%@|%ld");
  CHECK(found("100% sure, 50%discount, {see below}, 5 % d") == "");
  CHECK(found("See https://example.org/a?b=c#d. (http://x.y/z), ftp://f") ==
        "https://example.org/a?b=c#d|http://x.y/z|ftp://f");
  CHECK(found("mail a.b+c@example.org!") == "a.b+c@example.org");
  CHECK(found("访问https://x.org/a了解{x}") == "https://x.org/a|{x}");
  CHECK(found("{a} %s", {}, Placeholders::kTranslate) == "");
}

TEST_CASE("patterns") {
  CHECK(found("a #12 b #3", {"#\\d+"}, Placeholders::kTranslate) == "#12|#3");
  CHECK(found("Größe", {"ö"}) == "Größe");
  CHECK(found("abc", {"x*"}) == "");
  // The first one, and the longer one.
  CHECK(found("(a b) c", {"a b\\) c", "\\(a b\\)"}) == "(a b)");
  CHECK(found("-a-", {"-a", "-a-"}) == "-a-");
}

TEST_CASE("a span includes the word that it adjoins") {
  CHECK(found("file%s.txt {count}x é{a}é -{b}-") == "file%s|{count}x|é{a}é|{b}");
  CHECK(found("{a}{b} {c}x{d} {e}-{f}") == "{a}{b}|{c}x{d}|{e}|{f}");
}

TEST_CASE("bad and hostile patterns are errors") {
  CHECK(message_of([] { found("", {"("}); }) ==
        "the protected pattern '(' is not a regular expression: a parenthesis has no partner");
  CHECK(message_of([] { found(std::string(100, 'a'), {"(a+)+b"}); }) ==
        "the protected pattern '(a+)+b': the expression takes too long on this text");
}

}  // namespace
