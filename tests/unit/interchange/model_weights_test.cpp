// Weights that are in memory or in temporary files.
#include "interchange/model_weights.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "store/array_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

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

TEST_CASE("weights are read in the file that has them, in any order of rows") {
  const tests::Scratch scratch;
  const auto values = numbers(std::size_t{4} << 20, 0);
  const store::Array array{"a", store::Type::F32, {1 << 20, 4}, std::as_bytes(std::span(values))};
  store::write_arrays(scratch.path("file"), {&array, 1}, {});
  ModelWeights weights;
  store::ArrayFile file(scratch.path("file"));
  weights.refer("a", file.floats("a", array.shape));
  weights.keep_open(std::move(file));
  const auto moved = std::move(weights);
  CHECK(moved.at("a") == values);
  CHECK(moved.count("a") == values.size());
  std::vector<float> rows;
  const std::vector<std::uint32_t> order = {(1 << 20) - 1, 0, 7};
  moved.for_rows("a", 4, order, [&](std::span<const float> part) {
    rows.insert(rows.end(), part.begin(), part.end());
  });
  CHECK(std::ranges::equal(std::span(rows).first(4), std::span(values).last(4)));
  CHECK(std::ranges::equal(std::span(rows).subspan(4, 4), std::span(values).first(4)));
  CHECK(std::ranges::equal(std::span(rows).subspan(8), std::span(values).subspan(28, 4)));
}

}  // namespace awend::interchange
