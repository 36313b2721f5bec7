#include "host/int8_product.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "host/int8_kernel.hpp"
#include "host/rows.hpp"

namespace awend::host {
namespace {

constexpr std::size_t kGroupBytes = 4;  // of integers that are multiplied at once
constexpr std::int32_t kOffset = 128;   // of bytes of the left operand
// Multiplications that take one thread about as long as another one to wake.
constexpr std::size_t kMinMultiplications = 6'000'000;

// Few rows at a time, so that what is read stays in the first-level cache.
constexpr std::size_t kRowsAtATime = 16;

/// Copies columns [first, first + count) of b, one after the other.
void copy_columns(const Operand& b, std::size_t inner, std::size_t first, std::size_t count,
                  float* to) {
  if (b.order == Order::kColumns) {
    for (std::size_t j = 0; j < count; ++j)
      std::copy_n(b.values + (first + j) * b.stride, inner, to + j * inner);
    return;
  }
  for (std::size_t begin = 0; begin < inner; begin += kRowsAtATime) {
    const std::size_t end = std::min(begin + kRowsAtATime, inner);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = begin; k < end; ++k)
        to[j * inner + k] = b.values[k * b.stride + first + j];
    }
  }
}

void copy_columns(const Int8Operand& b, std::size_t inner, std::size_t first, std::size_t count,
                  float* to) {
  if (b.order == Order::kColumns) {
    for (std::size_t j = 0; j < count; ++j) b.matrix.widen(first + j, 0, inner, to + j * inner);
    return;
  }
  for (std::size_t begin = 0; begin < inner; begin += kRowsAtATime) {
    const std::size_t end = std::min(begin + kRowsAtATime, inner);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = begin; k < end; ++k) b.matrix.widen(k, first + j, 1, to + j * inner + k);
    }
  }
}

/// Copies the columns that b has; others remain zero.
template <class Operand>
auto stored_columns_of(const Operand& b, std::size_t inner) {
  return [b, inner](std::size_t first, std::size_t count, float* to) {
    if (first >= b.stored_columns) return;
    copy_columns(b, inner, first, std::min(count, b.stored_columns - first), to);
  };
}

std::int32_t sum_of(std::span<const std::int8_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int32_t{0});
}

}  // namespace

QuantizedOperand::QuantizedOperand(ThreadPool& pool, const Operand& b, std::size_t inner,
                                   std::size_t columns, float left_scale)
    : inner_(inner), columns_(columns), left_scale_(left_scale) {
  pack(pool, stored_columns_of(b, inner));
}

QuantizedOperand::QuantizedOperand(ThreadPool& pool, const Int8Operand& b, std::size_t inner,
                                   std::size_t columns, float left_scale)
    : inner_(inner), columns_(columns), left_scale_(left_scale) {
  pack(pool, stored_columns_of(b, inner));
}

void QuantizedOperand::pack(ThreadPool& pool, const CopyColumns& copy) {
  base::check(inner_ <= kMaxInt8Inner, "sums of the product fit 32 bits");
  const Int8Layout layout = int8_layout();
  const std::size_t panels = base::divide_up(columns_, layout.panel_columns);
  const std::size_t padded = panels * layout.panel_columns;
  scales_.resize(padded, 0);
  starts_.resize(padded, 0);
  values_ = AlignedMemory(groups_of(layout, inner_) * kGroupBytes * padded);
  for_rows(pool, panels, inner_ * layout.panel_columns, [&](std::size_t begin, std::size_t end) {
    for (std::size_t panel = begin; panel < end; ++panel)
      pack_panel(copy, panel * layout.panel_columns);
  });
}

/// Values of a panel are in the order (group, column, place in the group).
void QuantizedOperand::pack_panel(const CopyColumns& copy, std::size_t first) {
  const Int8Layout layout = int8_layout();
  const std::size_t panel_columns = layout.panel_columns, value_bytes = layout.value_bytes;
  base::check(layout.group * value_bytes == kGroupBytes, "a group is one 32-bit word");
  const std::size_t groups = groups_of(layout, inner_);
  const std::size_t columns = std::min(panel_columns, columns_ - first);
  std::vector<float> floats(columns * inner_);
  copy(first, columns, floats.data());
  std::byte* const panel = values_.as<std::byte>() + first * groups * kGroupBytes;
  std::fill_n(panel, groups * panel_columns * kGroupBytes, std::byte{0});
  std::vector<std::byte> quantized(groups * kGroupBytes);
  for (std::size_t j = 0; j < columns; ++j) {
    scales_[first + j] =
        quantize_vector(floats.data() + j * inner_, inner_, value_bytes, quantized.data());
    if (value_bytes == 1) {
      const auto* const values = reinterpret_cast<const std::int8_t*>(quantized.data());
      starts_[first + j] = -kOffset * sum_of({values, inner_});
    }
    for (std::size_t i = 0; i < groups; ++i) {
      std::memcpy(panel + (i * panel_columns + j) * kGroupBytes, quantized.data() + i * kGroupBytes,
                  kGroupBytes);
    }
  }
}

void multiply(ThreadPool& pool, const Product& product, const QuantizedOperand& b) {
  base::check(b.inner() == product.inner && b.columns() == product.columns &&
                  product.a.order == Order::kRows,
              "the quantized operand fits the product");
  const Int8Layout layout = int8_layout();
  const std::size_t groups = groups_of(layout, product.inner);
  const std::size_t stride = groups * kGroupBytes + layout.row_gap_bytes;
  const std::size_t row_tiles = base::divide_up(product.rows, layout.tile_rows);
  thread_local Scratch values, scales;
  const QuantizedRows rows{
      .product = product,
      .left_scale = b.left_scale(),
      .value_bytes = layout.value_bytes,
      .stride_bytes = stride,
      .values = values.numbers<std::byte>(row_tiles * layout.tile_rows * stride),
      .scales = scales.numbers<float>(product.rows)};
  for_rows(pool, product.rows, 2 * product.inner,
           [&](std::size_t begin, std::size_t end) { quantize_rows(rows, begin, end); });
  const Int8Tiles tiles{.product = product,
                        .layout = layout,
                        .groups = groups,
                        .a = rows.values,
                        .a_stride_bytes = stride,
                        .a_scales = rows.scales,
                        .b = b.values(),
                        .b_scales = b.scales().data(),
                        .starts = b.starts().data()};
  const std::size_t count = row_tiles * base::divide_up(product.columns, layout.panel_columns);
  const std::size_t useful = product.rows * product.columns * product.inner / kMinMultiplications;
  const unsigned parts = parts_of(useful, count, pool);
  pool.run(parts, [&](unsigned part) {
    multiply_tiles(tiles, count * part / parts, count * (part + 1) / parts);
  });
}

}  // namespace awend::host
