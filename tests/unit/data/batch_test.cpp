// A packed batch against the sentences it was made of, and against definitions written out row by
// row.
#include "data/batch.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

SentencePairs three_pairs() {
  SentencePairs pairs;
  pairs.source.add(Words{300, 301, 300});
  pairs.target.add(Words{400});
  pairs.source.add(Words{302});
  pairs.target.add(Words{401, 400});
  pairs.source.add(Words{303, 304});
  pairs.target.add(Words{300, 300, 401});
  return pairs;
}

TEST_CASE("sentences are packed end to end, in the requested order", "[batch]") {
  Batch batch;
  pack_batch(three_pairs(), Words{2, 0}, batch);
  CHECK(batch.sentences == 2);
  CHECK(batch.pairs == Words{2, 0});
  CHECK(batch.source_begin == Words{0, 3, 7});
  CHECK(batch.target_begin == Words{0, 4, 6});
  CHECK(batch.source_ids == Words{303, 304, 1, 300, 301, 300, 1});
  CHECK(batch.source_positions == Words{0, 1, 2, 0, 1, 2, 3});
  CHECK(batch.target_input_ids == Words{kNoToken, 300, 300, 401, kNoToken, 400});
  CHECK(batch.target_output_ids == Words{300, 300, 401, 1, 400, 1});
  CHECK(batch.target_positions == Words{0, 1, 2, 3, 0, 1});
  CHECK(batch.source_rows() == 7);
  CHECK(batch.target_rows() == 6);
}

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

TEST_CASE("a batch indexes its ids and positions", "[batch]") {
  Batch batch;
  pack_batch(three_pairs(), Words{0, 1, 2}, batch);
  check_rows_by_key(batch.source_by_id, batch.source_ids);
  check_rows_by_key(batch.target_by_id, batch.target_input_ids);
  check_rows_by_key(batch.source_by_position, batch.source_positions);
  check_rows_by_key(batch.target_by_position, batch.target_positions);
  CHECK(batch.target_by_id.rows.size() == batch.target_rows() - batch.sentences);
}

TEST_CASE("a batch used again remembers nothing", "[batch]") {
  Batch fresh;
  Batch used;
  pack_batch(three_pairs(), Words{0, 1, 2}, used);
  pack_batch(three_pairs(), Words{1}, used);
  pack_batch(three_pairs(), Words{1}, fresh);
  CHECK(used.source_ids == fresh.source_ids);
  CHECK(used.target_begin == fresh.target_begin);
  CHECK(used.target_by_id.rows == fresh.target_by_id.rows);
  CHECK(used.sentences == 1);
}

}  // namespace
}  // namespace awend::data
