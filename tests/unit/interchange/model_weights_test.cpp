// Weights that are in memory or in temporary files.
#include "interchange/model_weights.hpp"

#include <numeric>

#include "tests/catch.hpp"

namespace awend::interchange {
namespace {

std::vector<float> numbers(std::size_t count, float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("weights are kept by name") {
  ModelWeights weights;
  CHECK(weights.empty());
  weights.emplace("a", numbers(6, 1));
  weights.emplace("a", numbers(3, 9));  // there is one
  CHECK(weights.at("a") == numbers(6, 1));
  weights.set("a", numbers(4, 7));
  CHECK(weights.at("a") == numbers(4, 7));
  weights["a"][0] = -1;
  weights["b"].push_back(2);
  CHECK(weights.at("a")[0] == -1);
  CHECK(weights.names() == std::vector<std::string>{"a", "b"});
  ModelWeights same;
  same.emplace("b", {2});
  same.emplace("a", {-1, 8, 9, 10});
  CHECK(same == weights);
  same["b"][0] = 3;
  CHECK_FALSE(same == weights);
  weights.erase("a");
  weights.erase("a");
  CHECK(weights.size() == 1);
  CHECK_FALSE(weights.contains("a"));
}

TEST_CASE("more weights than the budget of memory are the same") {
  // 40 MiB each, the third of which is in a file.
  constexpr std::size_t kRows = 2500, kColumns = 4096;
  ModelWeights first;
  for (const std::string name : {"a", "b", "c"})
    first.emplace(name, numbers(kRows * kColumns, static_cast<float>(name[0])));
  const ModelWeights weights = std::move(first);
  for (const std::string name : {"a", "b", "c"}) {
    const auto expected = numbers(kRows * kColumns, static_cast<float>(name[0]));
    CHECK(weights.at(name) == expected);
    std::vector<float> found;
    weights.for_parts(name, kColumns, [&](std::span<const float> part) {
      CHECK(part.size() % kColumns == 0);
      found.insert(found.end(), part.begin(), part.end());
    });
    CHECK(found == expected);
  }
}

}  // namespace awend::interchange
