// Pictures of tables of positions.
#include "inspect/position_map.hpp"

#include <limits>

#include "tests/catch.hpp"

namespace {

using namespace awend::tools;

// A table of positions by dimensions.
struct Size {
  std::uint32_t rows, columns;
};
PositionTable table_of(const Size& size, std::vector<float> values) {
  return {.title = "a table",
          .rows = {"position", 2, size.rows},
          .columns = {"dimension", 0, size.columns},
          .values = std::move(values)};
}

TEST_CASE("cells of equal color in a column are one rectangle of their color's path") {
  const auto svg = position_map_svg("a model", {table_of({3, 2}, {1, -1, 1, 0, -1, 0})});
  CHECK(svg.find("style=\"fill:#c24e14\" d=\"M0 0h1v2h-1z\"") != svg.npos);              // 1
  CHECK(svg.find("style=\"fill:#1f4e8c\" d=\"M0 2h1v1h-1zM1 0h1v1h-1z\"") != svg.npos);  // -1
  CHECK(svg.find("style=\"fill:#faf9f6\" d=\"M1 1h1v2h-1z\"") != svg.npos);              // 0
  CHECK(svg.find(">a table<") != svg.npos);
}

TEST_CASE("colors are relative to the largest magnitude; what is not finite is left out") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto svg = position_map_svg("a model", {table_of({1, 3}, {0.5, nan, 0.05F})});
  CHECK(svg.find("M0 0h1v1h-1z") != svg.npos);
  CHECK(svg.find("M1 0h1") == svg.npos);
  CHECK(svg.find("M2 0h1v1h-1z") != svg.npos);
  CHECK(svg.find(">0.5<") != svg.npos);
  CHECK(svg.find(">2</text>") != svg.npos);  // the first position
}

TEST_CASE("axes have the names and numbers of their rows and columns") {
  const auto svg = position_map_svg("a <model>", {{.title = "biases",
                                                   .rows = {"bucket", 0, 2},
                                                   .columns = {"head", 1, 3},
                                                   .values = {0, 0, 0, 0, 0.25, 0}}});
  CHECK(svg.find(">bucket</text>") != svg.npos);
  CHECK(svg.find(">head</text>") != svg.npos);
  CHECK(svg.find(">position</text>") == svg.npos);
  for (const auto column : {">1</text>", ">2</text>", ">3</text>"})
    CHECK(svg.find(column) != svg.npos);
  CHECK(svg.find("<title>Positions of a &lt;model&gt;</title>\n<desc>biases: 2 buckets by 3 heads, "
                 "values up to ±0.25</desc>") != svg.npos);
}

TEST_CASE("a long title is above the scale") {
  auto table = table_of({2, 1}, {1, 0});
  table.title = std::string(100, 'x');
  const auto svg = position_map_svg("a model", {table});
  const auto y_before = [&](std::string_view text) {
    return std::stod(svg.substr(svg.rfind("y=\"", svg.rfind(text)) + 3));
  };
  CHECK(y_before(">xxx") < y_before(">−1<") - 20);
}

TEST_CASE("a table of zeros is white") {
  const auto svg = position_map_svg("a model", {table_of({2, 1}, {0, 0})});
  CHECK(svg.find("style=\"fill:#faf9f6\" d=\"M0 0h1v2h-1z\"") != svg.npos);
}

}  // namespace
