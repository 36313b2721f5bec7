// Matrix products in the shapes of the paper's models, compared with OpenBLAS.
//
// A layer (rows, in → out) has three products: NN forward, NT for the gradient of its input, TN for
// that of its weight.  The vocabulary's projection is an NT product forward, in chunks of rows as
// nn::ChunkedLoss cuts them.
#include "nn/matmul/matmul.hpp"

#include <algorithm>

#include "tests/bench/bench.hpp"
#include "tests/bench/blas.hpp"

namespace awend::bench {
namespace {

using nn::Form;

struct Width {
  std::uint32_t d_model;
  std::uint32_t d_ff;
};
constexpr Width kSmall = {256, 1024};
constexpr Width kBase = {512, 2048};
constexpr Width kBig = {1024, 4096};
constexpr std::uint32_t kVocabulary = 8000;
/// Of the loss with this vocabulary: 32 MiB of logits, in steps of 64 rows.
constexpr std::uint32_t kChunkRows = 1024;
constexpr Form kForms[] = {Form::kNN, Form::kNT, Form::kTN};

std::string_view name_of(Form form) {
  return form == Form::kNN ? "NN" : form == Form::kNT ? "NT" : "TN";
}

std::string name_of(const Shape& shape) {
  return base::concat(name_of(shape.form), " ", shape.rows, " x ", shape.inner, " -> ",
                      shape.columns);
}

void add_layer(std::vector<Shape>& shapes, std::uint32_t rows, std::uint32_t in,
               std::uint32_t out) {
  shapes.push_back({Form::kNN, rows, in, out});
  shapes.push_back({Form::kNT, rows, out, in});
  shapes.push_back({Form::kTN, rows, in, out});
}

void add_model(std::vector<Shape>& shapes, Width width, std::initializer_list<std::uint32_t> rows) {
  const auto [d_model, d_ff] = width;
  for (const auto count : rows) {
    add_layer(shapes, count, d_model, d_model);
    add_layer(shapes, count, d_model, d_ff);
    add_layer(shapes, count, d_ff, d_model);
    if (count > 2 * kChunkRows) continue;  // the chunk is that of fewer rows
    const auto chunk = std::min(count, kChunkRows);
    shapes.push_back({Form::kNT, chunk, d_model, kVocabulary});
    shapes.push_back({Form::kNN, chunk, kVocabulary, d_model});
    shapes.push_back({Form::kTN, chunk, kVocabulary, d_model});
  }
}

void add_odd(std::vector<Shape>& shapes) {
  for (const std::uint32_t rows : {1u, 7u, 333u}) {
    add_layer(shapes, rows, 132, 516);
    add_layer(shapes, rows, 516, 1020);
    add_layer(shapes, rows, 1020, 132);
  }
}

std::vector<Shape> all_shapes(const cli::Options& options) {
  std::vector<Shape> shapes;
  add_model(shapes, kSmall, {512, 2048, 8192});
  if (options.flag("quick")) {
    add_model(shapes, kBase, {512, 2048});
  } else {
    add_model(shapes, kBase, {512, 2048, 8192});
    add_model(shapes, kBig, {512, 2048, 8192});
  }
  add_odd(shapes);
  return shapes;
}

/// GFLOP/s, the columns of the table: ours and OpenBLAS', of medians, of bests.
struct Rates {
  Form form;
  std::vector<double> figures;
};

Rates rates_of(const Shape& shape, const std::vector<Figure>& seconds) {
  const double giga = shape.flops() / 1e9;
  const Figure ours = seconds[0];
  const Figure theirs = seconds.size() > 1 ? seconds[1] : Figure{kUnknown, kUnknown};
  return {shape.form,
          {giga / ours.median, giga / theirs.median, theirs.median / ours.median, giga / ours.min,
           giga / theirs.min, theirs.min / ours.min}};
}

Rates measure(const Bench& bench, const Shape& shape, Numbers& numbers) {
  const Repeated device(bench.engine, [&](nn::Program& program) {
    numbers.rewind();
    const auto a = numbers.take(program, shape.rows, shape.inner, bench.precision);
    const auto b = numbers.take(program, shape.b_rows(), shape.b_columns(), bench.precision);
    const auto c = program.activation(program.fixed(shape.c_rows()), shape.columns);
    nn::matmul(program, {.form = shape.form, .a = a, .b = b, .c = c, .bias = std::nullopt});
  });
  std::vector<Measurement> measurements = {[&] { return std::vector{device.seconds()}; }};
  if (!bench.blas.name().empty())
    measurements.push_back([&] { return std::vector{bench.blas.seconds(shape)}; });
  return rates_of(shape, measure_in_turn(measurements, bench.seconds));
}

/// Columns by themselves: their medians by form and over all rows, the least and the most.
void summarise(Report& report, const std::vector<Rates>& rates) {
  const auto row = [&](std::string_view name, std::optional<Form> form, const auto& of) {
    std::vector<std::vector<double>> columns(rates.front().figures.size());
    for (const auto& rate : rates) {
      if (form && rate.form != *form) continue;
      for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(rate.figures[i]);
    }
    std::vector<double> figures;
    if (columns.front().empty()) return;
    for (const auto& column : columns) figures.push_back(of(column));
    report.row(name, figures);
  };
  for (const Form form : kForms) row(base::concat("median of ", name_of(form)), form, median);
  row("median of all", std::nullopt, median);
  row("min", std::nullopt, std::ranges::min);
  row("max", std::nullopt, std::ranges::max);
}

}  // namespace

void matmul(const Bench& bench) {
  bench.report.section("matmul",
                       "GFLOP/s of rows x K -> N (TN: summed over rows); medians, then the best",
                       {{"GFLOP/s", "gflops", 1},
                        {"OpenBLAS", "blas_gflops", 1},
                        {"ratio", "ratio", 2},
                        {"best", "best_gflops", 1},
                        {"OpenBLAS", "best_blas_gflops", 1},
                        {"ratio", "best_ratio", 2}});
  std::vector<Shape> shapes;
  std::size_t read = 0;
  for (const auto& shape : all_shapes(bench.options)) {
    if (!bench.report.wants(name_of(shape))) continue;
    shapes.push_back(shape);
    read = std::max(read, std::size_t{shape.rows} * shape.inner +
                              std::size_t{shape.b_rows()} * shape.b_columns());
  }
  if (shapes.empty()) return;
  Numbers numbers(bench.engine, read + 64);  // a little more, since pieces are aligned
  std::vector<Rates> rates;
  for (const auto& shape : shapes) {
    try {
      rates.push_back(measure(bench, shape, numbers));
      bench.report.row(name_of(shape), rates.back().figures);
    } catch (const base::Error& error) {
      bench.report.note(base::concat(name_of(shape), " is left out: ", error.what()));
    }
  }
  if (!rates.empty()) summarise(bench.report, rates);
}

}  // namespace awend::bench
