#include "metrics/alignment_error_rate.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace awend::metrics {
namespace {

Score score(const std::vector<std::string>& hypotheses, const std::vector<std::string>& gold) {
  return AlignmentErrorRate().score(hypotheses, gold);
}

}  // namespace

TEST_CASE("sure links must be found, possible ones may be") {
  const auto result = score({"0-0 1-1 2-2 3-0"}, {"0-0 1-1 4-4 2p2"});
  CHECK(result.value == Approx(100 * (1 - (2.0 + 3) / (4 + 3))));
  CHECK(result.details == "(precision = 75.0 recall = 66.7 links = 4 sure = 3)");
}

TEST_CASE("equal alignments have no errors; links of all lines are counted together") {
  CHECK(score({"1-0 0-1", "0-0 0-0"}, {"0-1 1-0", "0-0"}).value == 0);
  CHECK(score({"", ""}, {"", "0-0"}).value == 100);
  CHECK(score({""}, {""}).value == 0);
  CHECK(score({"0-0", "1-1"}, {"0-0", "2-2"}).value == Approx(50));
}

TEST_CASE("what is not an alignment is refused") {
  CHECK_THROWS_WITH(score({"0-0 x"}, {"0-0"}),
                    ContainsSubstring("hypothesis: 'x' is not a link, such as 0-0"));
  CHECK_THROWS_WITH(score({"0-0"}, {"1"}), ContainsSubstring("reference: '1' is not a link"));
}

}  // namespace awend::metrics
