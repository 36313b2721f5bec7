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
  CHECK(found("mail a.b+c@example.org!") == "a.b+c@example.org");
  CHECK(found("访问https://x.org/a了解{x}") == "https://x.org/a|{x}");
  CHECK(found("5%1$s total5%(x)s %d%% of 50%d") == "5%1$s|total5%(x)s|%d%%");
  CHECK(found("{a} %s", {}, Placeholders::kTranslate) == "");
}

TEST_CASE("addresses") {
  CHECK(found("See https://example.org/a?b=c#d. (http://x.y/z), ftp://f") ==
        "https://example.org/a?b=c#d|http://x.y/z|ftp://f");
  CHECK(found("http://x.de/{id} http://x.de/${id}. {http://x.de/{{id}}}") ==
        "http://x.de/{id}|http://x.de/${id}|http://x.de/{{id}}");
  CHECK(found("http://x.de/a_(b) (http://x.de/a_(b)), http://[::1]:80/a(b") ==
        "http://x.de/a_(b)|http://x.de/a_(b)|http://[::1]:80/a(b");
  CHECK(found("HTTP://X.DE/y http://bücher.de/ä! «http://президент.рф/а»") ==
        "HTTP://X.DE/y|http://bücher.de/ä|http://президент.рф/а");
  CHECK(found("访问https://x.org/a了解 http://x.kr에서 http://x.th/aไทย") ==
        "https://x.org/a|http://x.kr|http://x.th/a");
  CHECK(found("http://... https:// x") == "");
  const std::string brackets(100'000, '(');
  CHECK(found("http://" + brackets) == "");
  CHECK(found("http://a" + brackets) == "http://a");
  const std::string address = "http://a" + std::string(1'000'000, 'b');
  CHECK(found(address + ". x") == address);
  std::string parts = "http://a";
  for (int i = 0; i < 100'000; ++i) parts += ".a(b)";
  CHECK(found(parts).starts_with("http://a.a(b).a(b)"));
}

TEST_CASE("patterns") {
  CHECK(found("a #12 b #3", {"#\\d+"}, Placeholders::kTranslate) == "#12|#3");
  CHECK(found("Größe", {"ö"}) == "Größe");
  CHECK(found("abc", {"x*"}) == "");
  // Matches that overlap or touch are one.
  CHECK(found("(a b) c", {"a b\\) c", "\\(a b\\)"}) == "(a b) c");
  CHECK(found("-a-", {"-a", "-a-"}) == "-a-");
  CHECK(found("x@y.de/{a b} days", {"y\\.de/\\{a b\\}"}) == "x@y.de/{a b}");
  CHECK(found("five June 5 days ago", {"June 5", "5 days"}) == "June 5 days");
}

TEST_CASE("a span includes the word that it adjoins") {
  CHECK(found("file%s.txt {count}x é{a}é -{b}-") == "file%s|{count}x|é{a}é|{b}");
  CHECK(found("{a}{b} {c}x{d} {e}-{f}") == "{a}{b}|{c}x{d}|{e}|{f}");
  CHECK(found("{n}ế {n}e\u0301 %sọ o\u0323{n}") == "{n}ế|{n}e\u0301|%sọ|o\u0323{n}");
  CHECK(found("{a}д {b}日") == "{a}|{b}");
}

TEST_CASE("bad and hostile patterns are errors") {
  CHECK(message_of([] { found("", {"("}); }) ==
        "the protected pattern '(' is not a regular expression: a parenthesis has no partner");
  CHECK(message_of([] { found(std::string(100, 'a'), {"(a+)+b"}); }) ==
        "the protected pattern '(a+)+b': the expression takes too long on this text");
}

}  // namespace
