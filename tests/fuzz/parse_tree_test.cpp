// The reader of trees against damage and depth: it reads a tree that is whole, or throws an Error
// that names the place, and never runs out of stack.
#include "metrics/brackets/parse_tree.hpp"

#include <random>

#include "base/error.hpp"
#include "metrics/brackets/brackets.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

std::string mutated(std::string line, std::mt19937& random) {
  for (std::size_t changes = random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % line.size();
    switch (random() % 4) {
      case 0:
        line[at] = "() aN\t"[random() % 6];
        break;
      case 1:
        line.erase(at, 1 + random() % 4);
        break;
      case 2:
        line.insert(at, line.substr(at, random() % 12));
        break;
      default:
        line[at] = static_cast<char>(random());
        break;
    }
    if (line.empty()) line = " ";
  }
  return line;
}

bool whole(const ParseTree& tree) {
  for (const auto& constituent : tree.constituents) {
    if (constituent.begin > constituent.end || constituent.end > tree.leaves.size()) return false;
  }
  return true;
}

TEST_CASE("a damaged tree is refused or whole") {
  std::mt19937 random(9);
  const Brackets brackets({.damaged = DamagedTree::kCounted});
  const auto worker = brackets.make_worker();
  const std::string_view reference[] = {"(S (NP (DT a) (NN N)) (VP (V a) (. .)))"};
  worker->set_references(reference);
  std::vector<std::int64_t> row(brackets.width());
  int refused = 0, read = 0;
  for (int round = 0; round < 20'000; ++round) {
    const bool bracketed = round % 2;
    const auto line = mutated(
        bracketed ? std::string(reference[0]) : "(S (NP N N )NP (VP N (NP N )NP )VP N )S", random);
    try {
      const auto form = bracketed ? TreeForm::kBracketed : TreeForm::kLinearized;
      if (!whole(parse_tree(line, form, "file:1"))) FAIL(line);
      ++read;
    } catch (const awend::base::Error& error) {
      ++refused;
      if (!std::string_view(error.what()).starts_with("file:1: byte ")) FAIL(error.what());
    }
    worker->measure(line, row);
  }
  CHECK(refused > 5'000);
  CHECK(read > 2'000);
}

TEST_CASE("any depth is safe") {
  constexpr std::size_t kDepth = 1'000'000;
  std::string deep, linearized;
  for (std::size_t i = 0; i < kDepth; ++i) deep += "(A ", linearized += "(A ";
  CHECK_THROWS_AS(parse_tree(deep, TreeForm::kBracketed, "f:1"), awend::base::Error);
  deep += "(B b)" + std::string(kDepth, ')');
  linearized += "XX";
  for (std::size_t i = 0; i < kDepth; ++i) linearized += " )A";
  CHECK(parse_tree(deep, TreeForm::kBracketed, "f:1").constituents.size() == kDepth);
  CHECK(parse_tree(linearized, TreeForm::kLinearized, "f:1").constituents.size() == kDepth);
  const Brackets brackets;
  const auto worker = brackets.make_worker();
  const std::string_view reference[] = {deep};
  worker->set_references(reference);
  std::vector<std::int64_t> row(brackets.width());
  worker->measure(deep, row);
  CHECK(brackets.score(row).value == 100);
}

}  // namespace
