#include "text/learn/vocabulary_report.hpp"

#include "tests/catch.hpp"
#include "text/learn/learn.hpp"

namespace {

using namespace awend::text;

TEST_CASE("a report describes the effect of a vocabulary on its text") {
  const std::vector<WordCount> words = {{" ab", 8}, {"!", 1}, {" c", 1}};
  const Vocabulary vocabulary = learn(words, {.size = 300}, [](std::uint32_t) {});
  CHECK(vocabulary_report(vocabulary, words) ==
        "ids\t263\npieces\t5\npieces never used\t3\ndifferent words\t3\nwords\t10\ntokens\t11\n"
        "tokens a word\t1.100\ncharacters\t27\ncharacters a token\t2.455\n"
        "characters covered\t92.5926%\ntokens that are bytes\t18.1818%\nrarest\t▁ab=8 ▁=1\n");
}

TEST_CASE("an empty text has a report") {
  const Vocabulary vocabulary = learn({}, {.size = 300}, [](std::uint32_t) {});
  const std::string report = vocabulary_report(vocabulary, {});
  CHECK(report.starts_with("ids\t258\npieces\t0\n"));
  CHECK(report.ends_with("rarest\t\n"));
}

}  // namespace
