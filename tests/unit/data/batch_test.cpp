// A packed batch against the sentences it was made of, and against definitions written out row by
// row.
#include "data/batch.hpp"

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
  batch::PackedBatch batch;
  pack_batch(three_pairs(), Words{2, 0}, batch);
  CHECK(batch.sentences == 2);
  CHECK(batch.pairs == Words{2, 0});
  CHECK(batch.source.begins == Words{0, 3, 7});
  CHECK(batch.target.begins == Words{0, 4, 6});
  CHECK(batch.source.ids == Words{303, 304, 1, 300, 301, 300, 1});
  CHECK(batch.source.positions == Words{0, 1, 2, 0, 1, 2, 3});
  CHECK(batch.target.ids == Words{batch::kNoToken, 300, 300, 401, batch::kNoToken, 400});
  CHECK(batch.output_ids == Words{300, 300, 401, 1, 400, 1});
  CHECK(batch.target.positions == Words{0, 1, 2, 3, 0, 1});
  CHECK(batch.source.rows() == 7);
  CHECK(batch.target_rows() == 6);
}

TEST_CASE("a batch indexes its ids and positions", "[batch]") {
  batch::PackedBatch batch;
  pack_batch(three_pairs(), Words{0, 1, 2}, batch);
  const auto check = [](const batch::RowsByKey& index, const Words& keys) {
    const auto expected = batch::rows_by_key(keys);
    CHECK(index.keys == expected.keys);
    CHECK(index.begins == expected.begins);
    CHECK(index.rows == expected.rows);
  };
  check(batch.source.by_id, batch.source.ids);
  check(batch.target.by_id, batch.target.ids);
  check(batch.source.by_position, batch.source.positions);
  check(batch.target.by_position, batch.target.positions);
  CHECK(batch.target.by_id.rows.size() == batch.target_rows() - batch.sentences);
}

TEST_CASE("a batch used again remembers nothing", "[batch]") {
  batch::PackedBatch fresh;
  batch::PackedBatch used;
  pack_batch(three_pairs(), Words{0, 1, 2}, used);
  pack_batch(three_pairs(), Words{1}, used);
  pack_batch(three_pairs(), Words{1}, fresh);
  CHECK(used.source.ids == fresh.source.ids);
  CHECK(used.target.begins == fresh.target.begins);
  CHECK(used.target.by_id.rows == fresh.target.by_id.rows);
  CHECK(used.sentences == 1);
}

}  // namespace
}  // namespace awend::data
