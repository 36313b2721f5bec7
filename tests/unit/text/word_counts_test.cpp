#include "text/word_counts.hpp"

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::string listed(const WordCounter& counter) {
  std::string list;
  for (const auto& [word, count] : counter.sorted())
    list += word + "=" + std::to_string(count) + ";";
  return list;
}

TEST_CASE("words are counted after normalisation, in the order of their bytes") {
  WordCounter counter(Normalization::kNfc);
  counter.add("b a, e\u0301");
  counter.add("");
  counter.add("a \u00E9");
  CHECK(listed(counter) == " a=2; b=1; \u00E9=2;,=1;");
}

TEST_CASE("long chunks count as short ones do, and counters add up") {
  const std::string sentence = "我们喜欢音乐我们喜欢音乐我们喜欢音乐";
  WordCounter one(Normalization::kNone), other(Normalization::kNone);
  one.add(sentence);
  other.add("x " + sentence);
  one.add_all(other);
  CHECK(listed(one) == " x=1; 我们=2;喜欢=6;我们=4;音乐=6;");
}

}  // namespace
