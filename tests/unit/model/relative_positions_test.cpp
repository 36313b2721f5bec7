// The buckets of relative positions are those of T5.
#include "model/relative_positions.hpp"

#include "tests/catch.hpp"

namespace awend::model {
namespace {

using Directions = RelativePositions::Directions;

/// The buckets of some positions of a key minus that of its query.
std::vector<std::uint32_t> buckets_at(const RelativePositions& positions,
                                      const std::vector<int>& places) {
  const auto all = relative_buckets(positions);
  std::vector<std::uint32_t> buckets;
  for (const int place : places)
    buckets.push_back(all.at(static_cast<std::size_t>(place + int(positions.max_distance))));
  return buckets;
}

}  // namespace

TEST_CASE("in an encoder, each direction has half of the buckets") {
  const RelativePositions t5{.buckets = 32, .max_distance = 128, .directions = Directions::kBoth};
  CHECK(relative_buckets(t5).size() == 257);
  CHECK(buckets_at(t5, {0, -1, -7, -8, -11, -12, -15, -16, -22, -23, -31, -32, -45, -46, -63, -64,
                        -90, -91, -128}) == std::vector<std::uint32_t>{0, 1, 7, 8, 8, 9, 9, 10, 10,
                                                                       11, 11, 12, 12, 13, 13, 14,
                                                                       14, 15, 15});
  CHECK(buckets_at(t5, {1, 7, 8, 64, 91, 128}) ==
        std::vector<std::uint32_t>{17, 23, 24, 30, 31, 31});
}

TEST_CASE("in a decoder, keys before the query have all buckets") {
  const RelativePositions t5{
      .buckets = 32, .max_distance = 128, .directions = Directions::kBackward};
  CHECK(buckets_at(t5, {0, -1, -15, -16, -18, -19, -20, -21, -112, -113, -128}) ==
        std::vector<std::uint32_t>{0, 1, 15, 16, 16, 17, 17, 18, 30, 31, 31});
  CHECK(buckets_at(t5, {1, 5, 128}) == std::vector<std::uint32_t>{0, 0, 0});
}

}  // namespace awend::model
