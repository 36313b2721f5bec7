// Recurrent layers on the device compared with the reference, forward and backward.
#include "tests/reference/recurrent.hpp"

#include "nn/recurrent/cell.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/recurrent/row_dropout.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/kernels/step_table.hpp"

namespace awend::tests {
namespace {

struct Shape {
  reference::Cell cell;
  reference::Direction direction;
  std::size_t size;
  std::vector<std::size_t> lengths;
};

void check(const Shape& shape) {
  const auto& [cell, direction, size, lengths] = shape;
  const bool is_lstm = cell == reference::Cell::kLstm;
  const std::size_t width = (is_lstm ? 4 : 3) * size;
  CAPTURE(is_lstm, size, lengths.size());
  reference::Recurrence layer{cell, direction, {0}, {}, {}, {}, {}, {}};
  for (const std::size_t length : lengths) layer.begins.push_back(layer.begins.back() + length);
  const std::size_t rows = layer.begins.back(), sentences = lengths.size();
  layer.inputs = noise(rows, width, 1);
  layer.hidden = noise(size, width, 2);
  for (double& value : layer.hidden.values) value *= 0.3;
  layer.bias = noise(1, width, 3);
  layer.h = noise(sentences, size, 4);
  if (is_lstm) layer.c = noise(sentences, size, 5);
  const Matrix dy = noise(rows, size, 6), dh = noise(sentences, size, 7);
  const Matrix dc = is_lstm ? noise(sentences, size, 8) : Matrix();

  Bench bench;
  const auto hidden = bench.parameter(size, width), bias = bench.parameter(1, width);
  bench.allocate();
  bench.set(hidden, layer.hidden);
  bench.set(bias, layer.bias);
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 5));
  bench.set_rows(count, rows);
  // More steps than the longest sentence has tokens.
  const auto table = step_table(layer.begins, direction);
  const auto steps = given_steps(bench, count, table);
  const auto ranked = [&](const Matrix& states) { return by_rank(states, table.order); };
  const auto inputs = bench.given(count, layer.inputs);
  const auto h = bench.given(steps.sentences(), ranked(layer.h));
  nn::CellState initial{h, std::nullopt};
  if (is_lstm) initial.c = bench.given(steps.sentences(), ranked(layer.c));
  // The layer writes gates over the products of its inputs, which kernels may not do to inputs.
  const auto products = nn::residual(bench.graph, inputs, inputs, 0);
  const auto made = nn::recurrent(
      bench.graph, {.weights = {is_lstm ? nn::Cell::kLstm : nn::Cell::kGru, hidden, bias},
                    .steps = steps,
                    .rows = count,
                    .inputs = products,
                    .initial = initial});
  const auto y = bench.observe(made.outputs), last = bench.observe(made.last.h);
  bench.seed_gradient(made.outputs, dy);
  bench.seed_gradient(made.last.h, ranked(dh));
  if (is_lstm) bench.seed_gradient(*made.last.c, ranked(dc));
  bench.graph.derive_backward();
  const auto dinputs = bench.observe_gradient(products), dh0 = bench.observe_gradient(h);
  std::optional<nn::Tensor> dc0;
  if (is_lstm) dc0 = bench.observe_gradient(*initial.c);
  bench.run();

  // products = 2 · inputs
  auto doubled = layer;
  for (double& value : doubled.inputs.values) value *= 2;
  const auto expected = reference::recurrent(doubled);
  const auto gradient = reference::recurrent_backward(doubled, expected, dy, dh, dc);
  require_close(bench.read(y, rows), expected.outputs);
  require_close(bench.read(last, sentences), ranked(expected.h));
  require_close(bench.read(dinputs, rows), gradient.inputs);
  require_close(bench.gradient_of(hidden), gradient.hidden);
  require_close(bench.gradient_of(bias), gradient.bias);
  require_close(bench.read(dh0, sentences), ranked(gradient.h));
  if (is_lstm) require_close(bench.read(*dc0, sentences), ranked(gradient.c));
}

}  // namespace

TEST_CASE("recurrent layers equal the reference, forward and backward") {
  for (const auto cell : {reference::Cell::kLstm, reference::Cell::kGru}) {
    for (const auto direction : {reference::Direction::kForward, reference::Direction::kReverse}) {
      check({cell, direction, 4, {1}});
      check({cell, direction, 36, {3, 1, 6, 6, 2}});
      check({cell, direction, 20, {2, 11, 5, 1, 1, 9, 4}});
    }
  }
}

TEST_CASE("a step that exceeds the longest sentence of a layer is refused") {
  Bench bench;
  bench.allocate();
  const auto steps = nn::declare_steps(bench.program, bench.program.count(10), 4);
  const std::uint32_t lengths[] = {5, 1};
  REQUIRE_THROWS_WITH(nn::set_counts(bench.program, steps, lengths),
                      "a sentence has 5 tokens; the model processes at most 4");
}

TEST_CASE("columns are joined and rows permuted, with their gradients") {
  const Matrix a = noise(5, 8, 1), b = noise(5, 12, 2), dy = noise(5, 20, 3);
  const std::vector<std::uint32_t> order = {3, 0, 4, 1, 2};
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(7);
  bench.set_rows(count, 5);
  const auto left = bench.given(count, a), right = bench.given(count, b);
  const auto table = bench.given_words(count, 1, order);
  const auto joined = nn::concat_columns(bench.graph, left, right);
  const auto permuted = nn::permute_rows(bench.graph, joined, table, count);
  const auto y = bench.observe(permuted);
  bench.seed_gradient(permuted, dy);
  bench.graph.derive_backward();
  const auto da = bench.observe_gradient(left), db = bench.observe_gradient(right);
  bench.run();
  Matrix expected(5, 20), expected_da(5, 8), expected_db(5, 12);
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t column = 0; column < 20; ++column) {
      const bool is_left = column < 8;
      expected(row, column) = is_left ? a(order[row], column) : b(order[row], column - 8);
      (is_left ? expected_da(order[row], column) : expected_db(order[row], column - 8)) =
          dy(row, column);
    }
  }
  require_close(bench.read(y, 5), expected);
  require_close(bench.read(da, 5), expected_da);
  require_close(bench.read(db, 5), expected_db);
}

TEST_CASE("rows are gathered twice, and all others have no gradient") {
  const Matrix x = noise(6, 12, 1), dy = noise(3, 12, 2), dz = noise(2, 12, 3);
  const std::vector<std::uint32_t> first = {5, 0, 3}, second = {3, 4};
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(9);
  bench.set_rows(count, 6);
  const auto given = bench.given(count, x);
  const auto gathered = [&](const std::vector<std::uint32_t>& rows) {
    const auto entries = bench.program.count(5), own = bench.program.count(5);
    bench.set_rows(entries, rows.size());
    bench.set_rows(own, rows.size());
    return nn::gather_rows(bench.graph, given, {bench.given_words(entries, 1, rows), entries}, own);
  };
  const auto y = gathered(first), z = gathered(second);
  const auto seen_y = bench.observe(y), seen_z = bench.observe(z);
  bench.seed_gradient(y, dy);
  bench.seed_gradient(z, dz);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(given);
  bench.run();
  Matrix expected_y(3, 12), expected_z(2, 12), expected_dx(6, 12);
  for (std::size_t column = 0; column < 12; ++column) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      expected_y(i, column) = x(first[i], column);
      expected_dx(first[i], column) += dy(i, column);
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
      expected_z(i, column) = x(second[i], column);
      expected_dx(second[i], column) += dz(i, column);
    }
  }
  require_close(bench.read(seen_y, 3), expected_y);
  require_close(bench.read(seen_z, 2), expected_z);
  require_close(bench.read(dx, 6), expected_dx);
}

TEST_CASE("rows with the same number have the same dropout mask") {
  const double probability = 0.4;
  const Matrix ones = [] {
    Matrix matrix(6, 64);
    std::fill(matrix.values.begin(), matrix.values.end(), 1.0);
    return matrix;
  }();
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(6);
  bench.set_rows(count, 6);
  const auto x = bench.given(count, ones);
  const auto masks = bench.given_words(count, 1, {9, 9, 2, 9, 5, 2});
  const auto dropped = nn::row_dropout(bench.graph, x, {masks, count}, probability);
  const auto y = bench.observe(dropped);
  bench.seed_gradient(dropped, ones);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(x);
  bench.run();
  const Matrix made = bench.read(y, 6);
  const auto row = [&](std::size_t i) {
    return std::vector<double>(made.values.begin() + static_cast<std::ptrdiff_t>(i * 64),
                               made.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * 64));
  };
  CHECK(row(0) == row(1));
  CHECK(row(0) == row(3));
  CHECK(row(2) == row(5));
  CHECK(row(0) != row(2));
  CHECK(row(0) != row(4));
  const auto zeros = std::count(made.values.begin(), made.values.end(), 0.0);
  CHECK(zeros > 0.25 * 6 * 64);
  CHECK(zeros < 0.55 * 6 * 64);
  require_close(bench.read(dx, 6), made);
}

}  // namespace awend::tests
