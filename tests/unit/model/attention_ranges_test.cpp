// Which rows attend to which, with and without attention_window and source_end.
#include "model/attention_ranges.hpp"

#include "tests/catch.hpp"

namespace awend::model {
namespace {

using batch::RowRange;

Config with_window(std::uint32_t window) {
  Config config;
  config.transformer.attention_window = window;
  return config;
}

TEST_CASE("without a window, a row attends to all of its range") {
  const Config config;
  CHECK(in_window(config, {10, 20}, 12) == RowRange{10, 20});
  CHECK(encoder_range(config, {10, 20}, 12) == RowRange{10, 20});
  CHECK(longest_range(config, 30) == 30);
  CHECK(longest_range(config, 0) == 0);
}

TEST_CASE("a window includes as many rows on each side, within the range") {
  const Config config = with_window(3);
  CHECK(in_window(config, {10, 20}, 15) == RowRange{12, 19});
  CHECK(in_window(config, {10, 20}, 10) == RowRange{10, 14});
  CHECK(in_window(config, {10, 20}, 19) == RowRange{16, 20});
  CHECK(in_window(config, {0, 2}, 1) == RowRange{0, 2});
  // The decoder's keys of a query, and queries of a key.
  CHECK(in_window(config, {10, 16}, 15) == RowRange{12, 16});
  CHECK(in_window(config, {15, 20}, 15) == RowRange{15, 19});
  CHECK(longest_range(config, 30) == 7);
  CHECK(longest_range(config, 5) == 5);
  CHECK(longest_range(config, 0) == 7);
}

TEST_CASE("windows are symmetric, and do not restrict attention to the source") {
  const Config config = with_window(2);
  for (std::uint32_t query = 4; query < 16; ++query) {
    for (std::uint32_t key = 4; key < 16; ++key) {
      const auto attends = [&](std::uint32_t from, std::uint32_t to) {
        const RowRange range = encoder_range(config, {4, 16}, from);
        return range.begin <= to && to < range.end;
      };
      CHECK(attends(query, key) == attends(key, query));
      CHECK(attends(query, key) == (std::max(query, key) - std::min(query, key) <= 2));
    }
  }
  CHECK(attended_source(config, {4, 16}) == RowRange{4, 16});
}

TEST_CASE("an end of the source that is not attended is outside of all windows") {
  Config config = with_window(2);
  config.transformer.source_end = Switch::kOff;
  CHECK(encoder_range(config, {4, 10}, 8) == RowRange{6, 9});
  CHECK(encoder_range(config, {4, 10}, 9) == RowRange{9, 10});
  CHECK(encoder_range(config, {4, 5}, 4) == RowRange{4, 5});
  CHECK(attended_source(config, {4, 10}) == RowRange{4, 9});
}

}  // namespace
}  // namespace awend::model
