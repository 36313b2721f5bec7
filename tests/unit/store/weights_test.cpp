// Weights as integers with a scale for each row: a quarter of the space, and what is read back is
// near.
#include "store/weights.hpp"

#include <cmath>

#include "base/error.hpp"
#include "store/array_writer.hpp"
#include "store/average.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::store {
namespace {

const Metadata kCheckpoint = {
    {"awend.format", "1"}, {"awend.config", "{}"}, {"awend.step", "1"}, {"awend.vocabulary", "v"}};

/// Rows of very different sizes, one of zeros.
std::vector<float> rows_of(std::size_t rows, std::size_t columns) {
  std::vector<float> values;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double wave = std::sin(static_cast<double>(7 * row + 3 * column + 1));
      values.push_back(row == 2 ? 0 : static_cast<float>(wave * std::pow(10, row % 5)));
    }
  }
  return values;
}

TEST_CASE("narrow weights take a quarter and are near", "[weights]") {
  const tests::Scratch scratch;
  constexpr std::size_t kRows = 40, kColumns = 256;
  const auto matrix = rows_of(kRows, kColumns), vector = rows_of(1, 20);
  const Array arrays[] = {{"w", Type::F32, {kRows, kColumns}, std::as_bytes(std::span(matrix))},
                          {"b", Type::F32, {1, 20}, std::as_bytes(std::span(vector))}};
  const std::string paths[] = {scratch.path("wide")};
  write_arrays(paths[0], arrays, kCheckpoint);
  average(paths, scratch.path("narrow"), {.storage = Storage::kInt8});
  const ArrayFile file(scratch.path("narrow"));
  CHECK(file.metadata_at("awend.quantize") == "int8");
  CHECK(file.at("w").type == Type::I8);
  CHECK(file.at("w").bytes.size() == kRows * kColumns);
  CHECK(is_scales(file, file.at("w.scale")));
  CHECK_FALSE(is_scales(file, file.at("b")));
  const std::uint64_t shape[] = {kRows, kColumns}, row_shape[] = {1, 20};
  CHECK(Weights(file, "b", row_shape).read() == vector);
  const auto read = Weights(file, "w", shape).read();
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto own = std::span(matrix).subspan(row * kColumns, kColumns);
    const float step = scale_of(own);
    for (std::size_t i = row * kColumns; i < (row + 1) * kColumns; ++i)
      REQUIRE(std::abs(read[i] - matrix[i]) <= step * 0.5001);
  }

  // Narrowed again they stay what they are, and widened they are what was read.
  const std::string narrow[] = {scratch.path("narrow")};
  average(narrow, scratch.path("again"), {.storage = Storage::kInt8});
  const ArrayFile again(scratch.path("again"));
  CHECK(std::ranges::equal(again.at("w").bytes, file.at("w").bytes));
  average(narrow, scratch.path("widened"));
  const ArrayFile widened(scratch.path("widened"));
  CHECK(std::ranges::equal(widened.floats("w", shape), read));
  CHECK_FALSE(widened.metadata("awend.quantize"));
  CHECK(widened.find("w.scale") == nullptr);

  // A mean of wide and narrow ones.
  const std::string both[] = {scratch.path("wide"), scratch.path("narrow")};
  average(both, scratch.path("mean"));
  const ArrayFile mean_file(scratch.path("mean"));
  const auto mean = mean_file.floats("w", shape);
  REQUIRE(mean[5] == Approx((double{matrix[5]} + read[5]) / 2));
}

TEST_CASE("weights of another shape, or without scales, are refused", "[weights]") {
  const tests::Scratch scratch;
  const std::vector<std::int8_t> integers(8, 3);
  const Array arrays[] = {{"w", Type::I8, {2, 4}, std::as_bytes(std::span(integers))}};
  const auto path = scratch.path("file");
  write_arrays(path, arrays, kCheckpoint);
  const ArrayFile file(path);
  const std::uint64_t shape[] = {2, 4}, other[] = {4, 2};
  CHECK(tests::message_of([&] { Weights(file, "w", shape); }) == path + ": no array 'w.scale'");
  CHECK(tests::message_of([&] { Weights(file, "w", other); }) ==
        path + ": array 'w' is I8 [2, 4], not F32 [4, 2]");
}

}  // namespace
}  // namespace awend::store
