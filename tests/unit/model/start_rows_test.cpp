// Start tokens in packed batches.
#include "model/transformer/start_rows.hpp"

#include "tests/catch.hpp"

namespace awend::model {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids ids_of(std::span<const std::uint32_t> ids) {
  return {ids.begin(), ids.end()};
}

/// Two sentences, 7 3 and 3 9, with a first row each.
struct Target {
  Ids ids = {kNoToken, 7, 3, kNoToken, 3, 9};
  Ids begins = {0, 3, 6};
  Ids keys = {3, 7, 9};
  Ids segments = {0, 2, 3, 4};
  Ids rows = {2, 4, 1, 5};

  PackedSide side() const {
    return {.ids = ids,
            .begins = begins,
            .positions = {},
            .by_id = {.keys = keys, .begins = segments, .rows = rows},
            .by_position = {}};
  }
};

void check(std::uint32_t start, const Ids& keys, const Ids& begins, const Ids& rows) {
  CAPTURE(start);
  const Target target;
  StartRows starts;
  for (int round = 0; round < 2; ++round) {  // memory is used again
    const PackedSide side = starts.with_start(target.side(), start);
    CHECK(ids_of(side.ids) == Ids{start, 7, 3, start, 3, 9});
    CHECK(ids_of(side.by_id.keys) == keys);
    CHECK(ids_of(side.by_id.begins) == begins);
    CHECK(ids_of(side.by_id.rows) == rows);
  }
}

}  // namespace

TEST_CASE("a start token has the first rows, before, among, after and with other tokens") {
  check(1, {1, 3, 7, 9}, {0, 2, 4, 5, 6}, {0, 3, 2, 4, 1, 5});
  check(8, {3, 7, 8, 9}, {0, 2, 3, 5, 6}, {2, 4, 1, 0, 3, 5});
  check(10, {3, 7, 9, 10}, {0, 2, 3, 4, 6}, {2, 4, 1, 5, 0, 3});
  check(3, {3, 7, 9}, {0, 4, 5, 6}, {0, 2, 3, 4, 1, 5});
}

}  // namespace awend::model
