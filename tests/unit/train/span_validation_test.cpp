// The F1 of the tokens of an answer.
#include "train/span_validation.hpp"

#include "tests/catch.hpp"

namespace awend::train {
namespace {

using Words = std::vector<std::uint32_t>;

TEST_CASE("the F1 of an answer counts the tokens that both have", "[scores]") {
  CHECK(token_f1(Words{5, 6}, Words{5, 6}) == 1);
  CHECK(token_f1(Words{6, 5}, Words{5, 6}) == 1);  // SQuAD's does not see their order either
  CHECK(token_f1(Words{5}, Words{6}) == 0);
  CHECK(token_f1(Words{5}, Words{5, 6, 7}) == Approx(0.5));  // precision 1, recall 1/3
  CHECK(token_f1(Words{5, 5, 6}, Words{5, 7}) == Approx(0.4));
  CHECK(token_f1(Words{}, Words{}) == 1);
  CHECK(token_f1(Words{}, Words{5}) == 0);
  CHECK(token_f1(Words{5}, Words{}) == 0);
}

}  // namespace
}  // namespace awend::train
