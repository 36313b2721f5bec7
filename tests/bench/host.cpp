// Products of the host by rows and threads, as decoding and training call them: the weights are
// prepared once.
#include <optional>

#include "base/random.hpp"
#include "host/int8_product.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/blas.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kMaxRows = 8192;

/// The two layers of a feed-forward network of each width.
struct Layer {
  std::uint32_t inner, columns;
};
constexpr Layer kLayers[] = {{256, 1024}, {1024, 256}, {512, 2048}, {2048, 512}};

std::vector<float> noise(std::size_t count, base::Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = 2 * random.uniform() - 1;
  return values;
}

/// The operands of a layer, with the most rows.
class Operands {
 public:
  Operands(host::ThreadPool& pool, const Layer& layer)
      : layer_(layer),
        a_(noise(std::size_t{kMaxRows} * layer.inner, random_)),
        b_(noise(std::size_t{layer.inner} * layer.columns, random_)),
        c_(std::size_t{kMaxRows} * layer.columns),
        packed_({b_.data(), layer.columns}, layer.inner, layer.columns),
        quantized_(pool, {b_.data(), layer.columns}, layer.inner, layer.columns) {}

  double fp32_seconds(host::ThreadPool& pool, std::size_t rows) {
    return seconds_of_one([&] { host::multiply(pool, product(rows), packed_); });
  }
  double int8_seconds(host::ThreadPool& pool, std::size_t rows) {
    return seconds_of_one([&] { host::multiply(pool, product(rows), quantized_); });
  }

 private:
  host::Product product(std::size_t rows) {
    return {.rows = rows,
            .columns = layer_.columns,
            .inner = layer_.inner,
            .a = {a_.data(), layer_.inner},
            .b = {},
            .c = c_.data()};
  }

  Layer layer_;
  base::Random random_{1};
  std::vector<float> a_, b_, c_;
  host::PackedOperand packed_;
  host::QuantizedOperand quantized_;
};

}  // namespace

void host(const Bench& bench) {
  bench.report.section("host",
                       base::concat("GFLOP/s of rows x K -> N by the host, with prepared weights; "
                                    "on 1 and ",
                                    bench.threads, " threads; ratio: fp32 to OpenBLAS"),
                       {{"fp32, 1", "fp32_one", 1},
                        {"fp32", "fp32", 1},
                        {"int8, 1", "int8_one", 1},
                        {"int8", "int8", 1},
                        {"OpenBLAS", "blas", 1},
                        {"ratio", "ratio", 2}});
  host::ThreadPool one(1), all(bench.threads);
  for (const Layer& layer : kLayers) {
    std::optional<Operands> made;
    for (std::uint32_t rows = 1; rows <= kMaxRows; rows *= 2) {
      const std::string name = base::concat(rows, " x ", layer.inner, " -> ", layer.columns);
      if (!bench.report.wants(name)) continue;
      if (!made) made.emplace(one, layer);
      Operands& operands = *made;
      const Shape shape{nn::Form::kNN, rows, layer.inner, layer.columns};
      std::vector<Measurement> measurements = {
          [&] { return std::vector{operands.fp32_seconds(one, rows)}; },
          [&] { return std::vector{operands.fp32_seconds(all, rows)}; },
          [&] { return std::vector{operands.int8_seconds(one, rows)}; },
          [&] { return std::vector{operands.int8_seconds(all, rows)}; }};
      if (!bench.blas.name().empty())
        measurements.push_back([&] { return std::vector{bench.blas.seconds(shape)}; });
      const auto seconds = measure_in_turn(measurements, bench.seconds);
      std::vector<double> figures;
      for (const Figure& figure : seconds) figures.push_back(shape.flops() / 1e9 / figure.median);
      figures.resize(5, kUnknown);
      figures.push_back(figures[1] / figures[4]);
      bench.report.row(name, figures);
    }
  }
}

}  // namespace awend::bench
