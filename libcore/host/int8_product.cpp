#include "host/int8_product.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "host/int8_kernel.hpp"
#include "host/rows.hpp"

namespace awend::host {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr float kMost = 127;
constexpr std::int32_t kOffset = 128;  // of bytes of the left operand
// Multiplications that take one thread about as long as another one to wake.
constexpr std::size_t kLeastMultiplications = 6'000'000;

std::byte* allocate(std::size_t bytes) {
  return static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 64), kAlignment));
}

float value_at(const Operand& b, std::size_t k, std::size_t column) {
  return b.values[b.order == Order::kRows ? k * b.stride + column : column * b.stride + k];
}

/// Memory for the left operand of a product, kept by each thread that calls multiply().
struct Scratch {
  std::vector<std::byte> values;
  std::vector<float> scales;
};

}  // namespace

void QuantizedOperand::Free::operator()(std::byte* values) const {
  ::operator delete(values, kAlignment);
}

QuantizedOperand::QuantizedOperand(const Operand& b, std::size_t inner, std::size_t columns)
    : inner_(inner), columns_(columns) {
  base::check(inner <= kMaxInt8Inner, "sums of the product fit 32 bits");
  const Int8Layout layout = int8_layout();
  const std::size_t padded = base::divide_up(columns, layout.panel_columns) * layout.panel_columns;
  scales_.resize(padded, 0);
  starts_.resize(padded, 0);
  for (std::size_t column = 0; column < columns; ++column) {
    float largest = 0;
    for (std::size_t k = 0; k < inner; ++k)
      largest = std::max(largest, std::abs(value_at(b, k, column)));
    scales_[column] = largest / kMost;
  }
  const std::size_t groups = base::divide_up(inner, layout.group);
  const std::size_t bytes = groups * layout.group * padded * layout.value_bytes;
  values_.reset(allocate(bytes));
  std::fill_n(values_.get(), bytes, std::byte{0});
  if (layout.value_bytes == 1) {
    pack<std::int8_t>(b);
  } else {
    pack<std::int16_t>(b);
  }
}

/// Values are in the order (panel, group, column, place in the group).
template <class Value>
void QuantizedOperand::pack(const Operand& b) {
  const auto [tile_rows, panel_columns, group, value_bytes] = int8_layout();
  const std::size_t groups = base::divide_up(inner_, group);
  auto* const values = reinterpret_cast<Value*>(values_.get());
  for (std::size_t column = 0; column < columns_; ++column) {
    const float inverse = scales_[column] > 0 ? 1 / scales_[column] : 0;
    Value* const panel = values + column / panel_columns * panel_columns * groups * group;
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < inner_; ++k) {
      const float rounded = std::nearbyint(value_at(b, k, column) * inverse);
      const auto value = static_cast<Value>(std::clamp(rounded, -kMost, kMost));
      panel[(k / group * panel_columns + column % panel_columns) * group + k % group] = value;
      sum += value;
    }
    if (value_bytes == 1) starts_[column] = -kOffset * sum;
  }
}

void multiply(ThreadPool& pool, const Product& product, const QuantizedOperand& b) {
  base::check(b.inner() == product.inner && b.columns() == product.columns &&
                  product.a.order == Order::kRows && product.start != Start::kResult,
              "the quantized operand fits the product");
  const Int8Layout layout = int8_layout();
  const std::size_t groups = base::divide_up(product.inner, layout.group);
  const std::size_t stride = groups * layout.group * layout.value_bytes;
  thread_local Scratch scratch;
  scratch.values.resize(std::max(scratch.values.size(), product.rows * stride));
  scratch.scales.resize(std::max(scratch.scales.size(), product.rows));
  const QuantizedRows rows{.product = product,
                           .value_bytes = layout.value_bytes,
                           .stride_bytes = stride,
                           .values = scratch.values.data(),
                           .scales = scratch.scales.data()};
  for_rows(pool, product.rows, 2 * product.inner,
           [&](std::size_t begin, std::size_t end) { quantize_rows(rows, begin, end); });
  const Int8Tiles tiles{.product = product,
                        .layout = layout,
                        .groups = groups,
                        .a = rows.values,
                        .a_scales = rows.scales,
                        .b = b.values(),
                        .b_scales = b.scales().data(),
                        .starts = b.starts().data()};
  const std::size_t count = base::divide_up(product.rows, layout.tile_rows) *
                            base::divide_up(product.columns, layout.panel_columns);
  const std::size_t useful = product.rows * product.columns * product.inner / kLeastMultiplications;
  const unsigned parts = parts_of(useful, count, pool);
  pool.run(parts, [&](unsigned part) {
    multiply_tiles(tiles, count * part / parts, count * (part + 1) / parts);
  });
}

}  // namespace awend::host
