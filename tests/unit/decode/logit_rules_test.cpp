// Rules of a search, separately and combined.
#include "decode/logit_rules.hpp"

#include <cmath>
#include <map>

#include "tests/catch.hpp"

namespace awend::decode {
namespace {

constexpr SpecialIds kSpecial{.end_of_sentence = 1, .unknown = 0};
using Ids = std::vector<std::uint32_t>;

/// By id; fails for a duplicate.
std::map<std::uint32_t, Adjustment> adjusted(const LogitRuleSettings& settings, const Ids& ids,
                                             std::uint32_t shortest = 0) {
  const LogitRules rules(settings, kSpecial);
  std::vector<Adjustment> all;
  rules.append(ids, shortest, all);
  REQUIRE(all.size() <= rules.max_changes(static_cast<std::uint32_t>(ids.size())));
  std::map<std::uint32_t, Adjustment> by_id;
  for (const Adjustment& one : all) REQUIRE(by_id.emplace(one.id, one).second);
  return by_id;
}

bool is_never(const Adjustment& one) {
  return one.amount == -INFINITY;
}

}  // namespace

TEST_CASE("no rule is active by default") {
  REQUIRE(adjusted({}, {2, 3, 2, 3}).empty());
  REQUIRE(LogitRules({}, kSpecial).max_changes(100) == 0);
}

TEST_CASE("no output ends before the minimum length") {
  const LogitRuleSettings settings{.min_length_ratio = 0.5, .min_length_extra = 1};
  REQUIRE(settings.shortest(5) == 3);
  REQUIRE(is_never(adjusted(settings, {4, 5}, 3).at(1)));
  REQUIRE(adjusted(settings, {4, 5, 6}, 3).empty());
}

TEST_CASE("an n-gram is not repeated") {
  const LogitRuleSettings pairs{.no_repeat_ngram = 2};
  const auto after = adjusted(pairs, {5, 6, 5, 7, 5});
  REQUIRE(after.size() == 2);
  REQUIRE(is_never(after.at(6)));
  REQUIRE(is_never(after.at(7)));
  REQUIRE(adjusted(pairs, {5, 6, 7}).empty());
  REQUIRE(adjusted({.no_repeat_ngram = 3}, {5, 6, 8, 5, 6}).size() == 1);
  REQUIRE(adjusted({.no_repeat_ngram = 1}, {5, 6, 5}).size() == 2);  // no token twice
  REQUIRE(adjusted({.no_repeat_ngram = 4}, {5, 6, 5}).empty());
}

TEST_CASE("repeated tokens are penalized once") {
  const auto after = adjusted({.repetition_penalty = 1.5}, {5, 6, 5});
  REQUIRE(after.size() == 2);
  REQUIRE(after.at(5).kind == Adjustment::Kind::kRepeated);
  REQUIRE(after.at(5).amount == 1.5f);
}

TEST_CASE("combined rules keep prohibitions and change each token once") {
  const LogitRuleSettings all{
      .min_length_extra = 9, .no_repeat_ngram = 2, .repetition_penalty = 2, .unknown_penalty = 3};
  auto after = adjusted(all, {5, 0, 5}, 9);
  REQUIRE(after.size() == 3);
  REQUIRE(is_never(after.at(0)));
  REQUIRE(is_never(after.at(1)));
  REQUIRE(after.at(5).kind == Adjustment::Kind::kRepeated);
  after = adjusted(all, {5, 6}, 0);
  REQUIRE(after.at(0).kind == Adjustment::Kind::kAdded);
  REQUIRE(after.at(0).amount == -3.0f);
}

}  // namespace awend::decode
