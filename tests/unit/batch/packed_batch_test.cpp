// Rows grouped by keys, against definitions written out row by row.
#include "batch/packed_batch.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::batch {
namespace {

using Words = std::vector<std::uint32_t>;

void check_rows_by_key(const RowsByKey& index, const Words& keys) {
  REQUIRE(index.begins.size() == index.keys.size() + 1);
  REQUIRE(index.begins.front() == 0);
  REQUIRE(index.begins.back() == index.rows.size());
  REQUIRE(std::is_sorted(index.keys.begin(), index.keys.end()));
  REQUIRE(std::adjacent_find(index.keys.begin(), index.keys.end()) == index.keys.end());
  Words seen(keys.size());
  for (std::size_t i = 0; i < index.keys.size(); ++i) {
    REQUIRE(index.begins[i] < index.begins[i + 1]);
    for (auto at = index.begins[i]; at < index.begins[i + 1]; ++at) {
      if (at > index.begins[i]) REQUIRE(index.rows[at - 1] < index.rows[at]);
      REQUIRE(keys[index.rows[at]] == index.keys[i]);
      ++seen[index.rows[at]];
    }
  }
  for (std::size_t row = 0; row < keys.size(); ++row) {
    REQUIRE(seen[row] == (keys[row] == kNoToken ? 0 : 1));
  }
}

TEST_CASE("rows by key hold every row with a key once, in order", "[batch]") {
  base::Random random(1);
  Words keys(500);
  for (auto& key : keys) key = random.below(40) == 0 ? kNoToken : random.below(60);
  check_rows_by_key(rows_by_key(keys), keys);
  const auto none = rows_by_key(Words{kNoToken});
  CHECK(none.keys.empty());
  CHECK(none.begins == Words{0});
}

TEST_CASE("a start token has the first rows, before, among, after and with other tokens",
          "[batch]") {
  const Words ids = {kNoToken, 7, 3, kNoToken, 3, 9}, begins = {0, 3, 6};
  for (const std::uint32_t start : {1u, 8u, 10u, 3u}) {
    CAPTURE(start);
    const auto started = with_start({.ids = ids, .begins = begins}, start);
    CHECK(started.ids == Words{start, 7, 3, start, 3, 9});
    CHECK(started.begins == begins);
    check_rows_by_key(started.by_id, started.ids);
    CHECK(started.by_id.rows.size() == ids.size());
  }
}

TEST_CASE("a cleared batch has no sentences", "[batch]") {
  PackedBatch batch;
  batch.sentences = 1;
  batch.pairs = batch.output_ids = batch.source.ids = batch.target.source_rows = {1};
  batch.source.first_row = batch.target.first_sentence = 1;
  clear(batch);
  CHECK(batch.sentences + batch.source.first_row + batch.target.first_sentence == 0);
  CHECK(batch.source.rows() + batch.target_rows() == 0);
  CHECK(batch.pairs.empty());
  CHECK(batch.target.source_rows.empty());
}

}  // namespace
}  // namespace awend::batch
