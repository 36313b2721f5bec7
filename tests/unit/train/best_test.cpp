// The best validations, and how many came since the best one.
#include "train/best.hpp"

#include <limits>

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace awend::train {
namespace {

TEST_CASE("the best few are kept in order, ties in order of time", "[best]") {
  BestValidations best;
  CHECK(best.add({10, 3.0}, 2));
  CHECK(best.add({20, 2.0}, 2));
  CHECK(best.since_best == 0);
  CHECK(best.add({30, 2.0}, 2));  // second, and 3.0 is removed
  CHECK(best.since_best == 1);
  CHECK(best.list == std::vector<Validated>{{20, 2.0}, {30, 2.0}});
  CHECK_FALSE(best.add({40, 2.0}, 2));
  CHECK_FALSE(best.add({50, 9.0}, 2));
  CHECK(best.since_best == 3);
  CHECK(best.add({60, 1.5}, 2));
  CHECK(best.since_best == 0);
  CHECK(best.list == std::vector<Validated>{{60, 1.5}, {20, 2.0}});
}

TEST_CASE("higher BLEU and chrF are better", "[best]") {
  BestValidations best{.metric = ValidationMetric::kBleu};
  best.add({1, 10}, 1);
  CHECK_FALSE(best.add({2, 9}, 1));
  CHECK(best.add({3, 11}, 1));
  CHECK(best.list == std::vector<Validated>{{3, 11}});
}

TEST_CASE("the best value is known even if no checkpoint is kept", "[best]") {
  BestValidations best;
  best.add({1, 5}, 0);
  CHECK(best.list == std::vector<Validated>{{1, 5}});
  best.add({2, 6}, 0);
  CHECK(best.since_best == 1);
}

TEST_CASE("NaN is never the best", "[best]") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  BestValidations best;
  CHECK_FALSE(best.add({1, kNaN}, 2));
  CHECK(best.since_best == 1);
  CHECK(best.add({2, 5}, 2));
  CHECK_FALSE(best.add({3, kNaN}, 2));
  CHECK(best.list == std::vector<Validated>{{2, 5}});
  best.list.insert(best.list.begin(), {1, kNaN});  // of an earlier version
  CHECK(best.add({4, 6}, 2));
  CHECK(best.since_best == 0);
  CHECK(best.list.front() == Validated{4, 6});
}

TEST_CASE("the validation at the end of a run is ranked, and not counted", "[best]") {
  BestValidations best{.metric = ValidationMetric::kBleu};
  CHECK(best.ranked().empty());
  CHECK_FALSE(best.add_at_end({3, std::numeric_limits<double>::quiet_NaN()}));
  CHECK(best.add_at_end({5, 4}));
  best.add({10, 3}, 2);
  best.add({20, 6}, 2);
  best.add({30, 5}, 2);
  CHECK(best.since_best == 1);
  CHECK(best.ranked() == std::vector<Validated>{{20, 6}, {30, 5}, {5, 4}});
  CHECK_FALSE(best.add_at_end({35, 6}));
  CHECK(best.add_at_end({40, 7}));
  CHECK_FALSE(best.add_at_end({50, 7}));
  CHECK(best.ranked() == std::vector<Validated>{{40, 7}, {20, 6}, {30, 5}});
  best.compare_by(ValidationMetric::kChrf);
  CHECK(best.ranked().empty());
}

TEST_CASE("another metric clears the list", "[best]") {
  BestValidations best;
  best.add({1, 5}, 1);
  best.compare_by(ValidationMetric::kLoss);
  CHECK(best.list.size() == 1);
  best.compare_by(ValidationMetric::kChrf);
  CHECK(best == BestValidations{.metric = ValidationMetric::kChrf});
}

TEST_CASE("a list is read back exactly from its text", "[best]") {
  const std::vector<Validated> list = {{123456789, 1.0 / 3}, {7, -1e-300}, {0, 27}};
  CHECK(parse_validated(to_text(list)) == list);
  CHECK(parse_validated("").empty());
  for (const auto* text : {"1", "1:", ":2", "1:2 ", "x:1", "1:2  3:4", "1:2:3"}) {
    CAPTURE(text);
    if (std::string(text) == "1:2 ") continue;  // nothing follows the last space
    CHECK_THROWS_AS(parse_validated(text), base::Error);
  }
}

}  // namespace
}  // namespace awend::train
