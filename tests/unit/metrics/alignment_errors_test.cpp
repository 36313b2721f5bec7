#include "metrics/alignment_errors.hpp"

#include "tests/catch.hpp"

namespace awend::metrics {
namespace {

AlignmentErrors errors(std::string_view hypothesis, std::string_view gold) {
  AlignmentErrors result;
  result.add(text::parse_word_alignment(hypothesis), text::parse_word_alignment(gold));
  return result;
}

}  // namespace

TEST_CASE("sure links must be found, possible ones may be") {
  const auto result = errors("0-0 1-1 2-2 3-0", "0-0 1-1 4-4 2p2");
  CHECK(result.precision() == Approx(3.0 / 4));
  CHECK(result.recall() == Approx(2.0 / 3));
  CHECK(result.rate() == Approx(1 - (2.0 + 3) / (4 + 3)));
}

TEST_CASE("equal alignments have no errors, and neither have empty ones") {
  CHECK(errors("1-0 0-1", "0-1 1-0").rate() == 0);
  CHECK(errors("", "").rate() == 0);
  CHECK(errors("", "0-0").rate() == 1);
  CHECK(errors("0-0 0-0", "0-0").precision() == 1);
}

}  // namespace awend::metrics
