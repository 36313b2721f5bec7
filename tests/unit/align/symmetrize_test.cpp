#include "align/symmetrize.hpp"

#include "tests/catch.hpp"

namespace awend::align {
namespace {

// Forward: target words 0 to 3 come from 0, 1, 1, none.  Reverse: source words 0 to 3 come from 0,
// 2, none, 3.
const std::vector<int> kForward = {0, 1, 1, -1}, kReverse = {0, 2, -1, 3};

std::string line(Symmetrization how) {
  std::string text;
  text::append_word_alignment(symmetrize({kForward, kReverse}, how), text);
  return text;
}

}  // namespace

TEST_CASE("one alignment out of two directions") {
  CHECK(line(Symmetrization::kForward) == "0-0 1-1 1-2");
  CHECK(line(Symmetrization::kReverse) == "0-0 1-2 3-3");
  CHECK(line(Symmetrization::kIntersection) == "0-0 1-2");
  CHECK(line(Symmetrization::kUnion) == "0-0 1-1 1-2 3-3");
  // 1-1 is next to 1-2; 3-3 is next to no link.
  CHECK(line(Symmetrization::kGrowDiag) == "0-0 1-1 1-2");
  CHECK(line(Symmetrization::kGrowDiagFinal) == "0-0 1-1 1-2 3-3");
  CHECK(line(Symmetrization::kGrowDiagFinalAnd) == "0-0 1-1 1-2 3-3");
}

TEST_CASE(
    "final adds links of words of which one has none, final-and of words of which both have none") {
  // 0-0 is in both directions; 0-3 has a source word with a link, 2-2 has none.
  const std::vector<int> forward = {0, -1, 2, 0}, reverse = {0, -1, -1};
  const auto links = [&](Symmetrization how) {
    std::string text;
    text::append_word_alignment(symmetrize({forward, reverse}, how), text);
    return text;
  };
  CHECK(links(Symmetrization::kGrowDiag) == "0-0");
  CHECK(links(Symmetrization::kGrowDiagFinal) == "0-0 0-3 2-2");
  CHECK(links(Symmetrization::kGrowDiagFinalAnd) == "0-0 2-2");
}

TEST_CASE("empty sides have no links") {
  for (const auto& word : kSymmetrizationWords) {
    CHECK(symmetrize({{}, {}}, word.value).empty());
    const std::vector<int> none = {-1, -1};
    CHECK(symmetrize({none, {}}, word.value).empty());
  }
}

}  // namespace awend::align
