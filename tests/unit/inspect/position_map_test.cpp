// Pictures of tables of positions.
#include "inspect/position_map.hpp"

#include <limits>

#include "tests/catch.hpp"

namespace {

using namespace awend::tools;

TEST_CASE("cells of equal color in a column are one rectangle of their color's path") {
  const auto svg = position_map_svg(
      {{.title = "a table", .first = 0, .rows = 3, .columns = 2, .values = {1, -1, 1, 0, -1, 0}}});
  CHECK(svg.find("style=\"fill:#c24e14\" d=\"M0 0h1v2h-1z\"") != svg.npos);              // 1
  CHECK(svg.find("style=\"fill:#1f4e8c\" d=\"M0 2h1v1h-1zM1 0h1v1h-1z\"") != svg.npos);  // -1
  CHECK(svg.find("style=\"fill:#faf9f6\" d=\"M1 1h1v2h-1z\"") != svg.npos);              // 0
  CHECK(svg.find(">a table<") != svg.npos);
}

TEST_CASE("colors are relative to the largest magnitude; what is not finite is left out") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto svg = position_map_svg(
      {{.title = "a table", .first = 2, .rows = 1, .columns = 3, .values = {0.5, nan, 0.05F}}});
  CHECK(svg.find("M0 0h1v1h-1z") != svg.npos);
  CHECK(svg.find("M1 0h1") == svg.npos);
  CHECK(svg.find("M2 0h1v1h-1z") != svg.npos);
  CHECK(svg.find(">0.5<") != svg.npos);
  CHECK(svg.find(">2</text>") != svg.npos);  // the first position
}

TEST_CASE("a table of zeros is white") {
  const auto svg =
      position_map_svg({{.title = "zeros", .first = 0, .rows = 2, .columns = 1, .values = {0, 0}}});
  CHECK(svg.find("style=\"fill:#faf9f6\" d=\"M0 0h1v2h-1z\"") != svg.npos);
}

}  // namespace
