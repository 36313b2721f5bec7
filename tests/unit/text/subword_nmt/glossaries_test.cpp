#include "text/subword_nmt/glossaries.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

std::string cut(const std::vector<std::string>& patterns, std::string_view word) {
  std::string list;
  for (const std::string_view part : Glossaries(patterns).cut(word))
    list += std::string(list.empty() ? "" : "|") + std::string(part);
  return list;
}

bool matches(const std::string& pattern, std::string_view text) {
  return Glossaries(std::vector{pattern}).match(text);
}

TEST_CASE("matches are cut out, one pattern after the other") {
  CHECK(cut({}, "word") == "word");
  CHECK(cut({"like"}, "likewordlike") == "like|word|like");
  CHECK(cut({"like", "Manuel"}, "wordlikeManuel") == "word|like|Manuel");
  CHECK(cut({"USA", "S"}, "xUSA") == "x|U|S|A");
  CHECK(cut({"\\d+"}, "1x22ä333") == "1|x|22|ä|333");
  CHECK(cut({"a|ab"}, "ab") == "ab");
  CHECK(cut({"a|ab"}, "abx") == "a|bx");
  CHECK(cut({"<(a|b)>"}, "x<a>y") == "x|<a>|y");
  CHECK(cut({"x*"}, "axxb") == "a|xx|b");
  CHECK(cut({"€"}, "5€😀€") == "5|€|😀|€");
}

TEST_CASE("a part is matched wholly or not at all") {
  CHECK(matches("\\d+", "123"));
  CHECK_FALSE(matches("\\d+", "123a"));
  CHECK_FALSE(Glossaries({}).match(""));
  CHECK(Glossaries(std::vector<std::string>{"a", "b"}).match("b"));
}

TEST_CASE("classes have the members that Python gives them") {
  // A combining mark and a zero-width joiner are no letters; a superscript and a half are numbers.
  for (const std::string_view letter : {"a", "é", "日", "_", "5", "٣", "²", "½", "Ⅷ"})
    CHECK(matches("\\w", letter));
  for (const std::string_view other : {"\u0301", "\u200D", "-", "‿", "ⓐ", "\u00A0", "😀"})
    CHECK(matches("\\W", other));
  CHECK(matches("\\d", "٣"));
  CHECK(matches("\\D", "²"));
  for (const std::string_view space :
       {"\t", "\x0B", "\x1C", "\u0085", "\u00A0", "\u2028", "\u3000"})
    CHECK(matches("\\s", space));
  for (const std::string_view other : {"\u200B", "\uFEFF", "\u180E", "x"})
    CHECK(matches("\\S", other));
  CHECK(matches("[\\w-]+", "a-b"));
  CHECK(matches("[^\\W\\d]+", "äb"));
  CHECK_FALSE(matches("[^\\W\\d]+", "ä1"));
  CHECK(matches(".", "\u2028"));
  CHECK(cut({"\\bor\\b"}, "for-or") == "for-|or");
  CHECK(cut({"\\Bor"}, "for-or") == "f|or|-or");
}

TEST_CASE("what only ICU takes for syntax is text") {
  CHECK(matches("{name}", "{name}"));
  CHECK(matches("a{2}", "aa"));
  CHECK(matches("a{,2}", "aa"));
  CHECK(matches("a{2,}b{1,2}", "aaab"));
  CHECK(matches("a{,}b{}", "aaab{}"));
  CHECK(matches("]}", "]}"));
  CHECK(matches("[[]", "["));
  CHECK(matches("[]]+", "]]"));
  CHECK(matches("[a&&b]+", "&a"));
  CHECK(matches("[+--]+", "+,-"));
  CHECK_FALSE(matches("[+--]", "."));
  CHECK(matches("[--/]+", "-./"));
  CHECK(matches("[à-ü-]+", "é-"));
  CHECK(matches("[-a-]+", "-a"));
  CHECK_FALSE(matches("[0-9-x]", "a"));
  CHECK(matches("(?P<x>a)(?P=x)", "aa"));
  CHECK(matches("a\\Z", "a"));
}

TEST_CASE("an invalid regular expression is reported") {
  const auto error = [](const std::string& pattern) {
    try {
      const Glossaries glossaries(std::vector{pattern});
    } catch (const awend::base::UsageError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(error("(a") == "glossary '(a' is not a regular expression: a parenthesis has no partner");
  CHECK(error("*").starts_with("glossary '*' is not"));
  CHECK(error("a\\").starts_with("glossary 'a\\' is not"));
  CHECK(error("[a").starts_with("glossary '[a' is not"));
}

TEST_CASE("a pattern with an endless search is an error") {
  const Glossaries glossaries(std::vector<std::string>{"(a+)+b"});
  CHECK(message_of([&] {
          (void)glossaries.cut(awend::base::concat(std::string(60, 'a'), "c"));
        }).starts_with("glossary '(a+)+b': "));
  CHECK(glossaries.cut(awend::base::concat(std::string(1000, 'a'), "b")).size() == 1);
}

}  // namespace
