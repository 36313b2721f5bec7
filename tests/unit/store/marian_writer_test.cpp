// Files of Marian: floats, and matrices of 8 bits for both programs that read them.

#include "store/marian_binary.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::store;
using namespace awend::tests;
using Floats = std::vector<float>;

/// An array that is written in parts of one row.
MarianArray array_of(const std::string& name, std::uint64_t rows, const Floats& values, Type type) {
  const auto columns = values.size() / rows;
  return {.values = {name,
                     {rows, columns},
                     [values, columns](const WriteFloats& write) {
                       for (std::size_t i = 0; i < values.size(); i += columns)
                         write(std::span(values).subspan(i, columns));
                     }},
          .type = type};
}

/// The content of a file.
std::string written(const std::vector<MarianArray>& arrays, MarianDialect dialect) {
  const Scratch scratch;
  write_marian_binary(scratch.path("x"), arrays, "type: transformer\n", dialect);
  return Scratch::read(scratch.path("x"));
}

const Floats kMatrix = {1, -2, 0.5f, 0.25f, 2.54f, -1};

TEST_CASE("the bytes of a matrix of 8 bits") {
  const std::vector<MarianArray> arrays = {array_of("a_W", 2, kMatrix, Type::I8)};
  for (const auto dialect : {MarianDialect::kMarian, MarianDialect::kBrowser}) {
    CAPTURE(dialect == MarianDialect::kMarian);
    const auto file = written(arrays, dialect);
    const std::uint64_t type = dialect == MarianDialect::kMarian ? 0x10001 : 0x4101;
    // Two arrays, of which the second has the settings.
    const std::string headers =
        bytes_of(std::vector<std::uint64_t>{1, 2, 4, type, 2, 256, 18, 0x101, 1, 256});
    constexpr std::string_view kNames("a_W\0special:model.yml\0", 22);
    const std::string shapes = bytes_of(std::vector<std::int32_t>{2, 3, 256});
    const auto begin = headers.size() + kNames.size() + shapes.size();
    CHECK(file.substr(0, begin) == headers + std::string(kNames) + shapes);
    CHECK(file.size() == 3 * 256);
    CHECK(file.substr(begin, 8) == bytes_of<std::uint64_t>(256 - begin - 8));
    // Column by column, then what the values were multiplied with: 127 / 2.54.
    CHECK(file.substr(256, 6) == bytes_of(std::vector<std::int8_t>{50, 12, -100, 127, 25, -50}));
    CHECK(file.substr(262, 4) == bytes_of(127 / 2.54f));
    CHECK(file.substr(512, 18) == std::string("type: transformer\n"));
  }
}

TEST_CASE("what was written with 8 bits is read in its shape, within half a level") {
  const std::vector<MarianArray> arrays = {
      array_of("a_W", 3, kMatrix, Type::I8), array_of("Wemb", 3, kMatrix, Type::I8),
      array_of("b", 1, kMatrix, Type::F32), array_of("zeros_W", 2, Floats(4), Type::I8)};
  const auto file = written(arrays, MarianDialect::kBrowser);
  const auto items = read_marian_binary(view(file));
  CHECK(items.settings == "type: transformer\n");
  CHECK(to_floats(items.arrays.at("b")) == kMatrix);
  for (const std::string name : {"a_W", "Wemb"}) {
    CAPTURE(name);
    CHECK(items.arrays.at(name).shape == std::vector<std::uint64_t>{3, 2});
    const auto levels = to_floats(items.arrays.at(name));
    REQUIRE(levels.size() == kMatrix.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
      CHECK(std::abs(levels[i] * items.factors.at(name) - kMatrix[i]) <= 0.5001f * 2.54f / 127);
  }
  // Embeddings are in the order of rows, other matrices in that of columns.
  CHECK(items.arrays.at("Wemb").strides.empty());
  CHECK(items.arrays.at("a_W").strides == std::vector<std::uint64_t>{1, 3});
  CHECK(to_floats(items.arrays.at("zeros_W")) == Floats(4));
  CHECK(items.factors.at("zeros_W") == 1);
}

}  // namespace
