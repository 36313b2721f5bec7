#include "host/bfloat16_product.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "host/bfloat16_kernel.hpp"
#include "host/rows.hpp"

namespace awend::host {
namespace {

// Multiplications that take one thread about as long as another one to wake.
constexpr std::size_t kMinMultiplications = 6'000'000;

Bfloat16Unit best_unit() {
  if (!has_avx512_bfloat16()) return Bfloat16Unit::kNone;
  return has_amx_bfloat16() ? Bfloat16Unit::kAmx : Bfloat16Unit::kAvx512;
}

Bfloat16Unit& chosen_unit() {
  static Bfloat16Unit unit = best_unit();
  return unit;
}

/// The numbers of a packed tile of rows, or panel of columns.
std::size_t packed_numbers(std::size_t inner) {
  static_assert(kBfloat16Rows == kBfloat16Columns);
  return padded_inner(inner) * kBfloat16Columns;
}

std::size_t panels_of(std::size_t columns) {
  return base::divide_up(columns, kBfloat16Columns);
}

void pack(ThreadPool& pool, const Operand& b, std::size_t inner, std::size_t columns,
          std::uint16_t* packed) {
  for_rows(
      pool, panels_of(columns), inner * kBfloat16Columns, [&](std::size_t begin, std::size_t end) {
        pack_columns(b, {begin * kBfloat16Columns, end * kBfloat16Columns, columns, inner}, packed);
      });
}

void pack_left(ThreadPool& pool, const Product& product, std::uint16_t* packed) {
  for_rows(pool, base::divide_up(product.rows, kBfloat16Rows), product.inner * kBfloat16Rows,
           [&](std::size_t begin, std::size_t end) {
             pack_rows(product.a,
                       {begin * kBfloat16Rows, end * kBfloat16Rows, product.rows, product.inner},
                       packed);
           });
}

/// Computes tiles [begin, end) of the result: first all panels of some rows, which stay in the
/// second-level cache.
void multiply_tiles(const Product& product, const std::uint16_t* a, const std::uint16_t* b,
                    std::size_t begin, std::size_t end) {
  const bool has_amx = chosen_unit() == Bfloat16Unit::kAmx;
  std::optional<AmxRegisters> registers;
  if (has_amx) registers.emplace();
  const std::size_t panels = panels_of(product.columns);
  const std::size_t packed = packed_numbers(product.inner);
  alignas(64) float sums[kBfloat16Rows * kBfloat16Columns];
  for (std::size_t index = begin; index < end; ++index) {
    const std::size_t tile = index / panels, panel = index % panels;
    const std::size_t row = tile * kBfloat16Rows, column = panel * kBfloat16Columns;
    const TilePlace place{.row = row,
                          .rows = std::min(kBfloat16Rows, product.rows - row),
                          .column = column,
                          .columns = std::min(kBfloat16Columns, product.columns - column)};
    const Bfloat16Tile operands{.steps = padded_inner(product.inner) / kBfloat16Step,
                                .a = a + tile * packed,
                                .b = b + panel * packed,
                                .sums = sums};
    has_amx ? sum_amx(operands) : sum_avx512(operands, place.rows);
    write_tile(product, place, sums);
  }
}

void multiply_packed(ThreadPool& pool, const Product& product, const std::uint16_t* b) {
  thread_local Scratch scratch;
  const std::size_t row_tiles = base::divide_up(product.rows, kBfloat16Rows);
  auto* const a = scratch.numbers<std::uint16_t>(row_tiles * packed_numbers(product.inner));
  pack_left(pool, product, a);
  const std::size_t count = row_tiles * panels_of(product.columns);
  const std::size_t useful = product.rows * product.columns * product.inner / kMinMultiplications;
  const unsigned parts = parts_of(useful, count, pool);
  pool.run(parts, [&](unsigned part) {
    multiply_tiles(product, a, b, count * part / parts, count * (part + 1) / parts);
  });
}

}  // namespace

Bfloat16Unit bfloat16_unit() {
  return chosen_unit();
}

std::string_view name_of(Bfloat16Unit unit) {
  return unit == Bfloat16Unit::kAmx ? "AMX" : unit == Bfloat16Unit::kAvx512 ? "AVX512_BF16" : "";
}

bool has(Bfloat16Unit unit) {
  return unit <= best_unit();
}

void use_bfloat16_unit(Bfloat16Unit unit) {
  base::check(has(unit), "the processor has the unit");
  chosen_unit() = unit;
}

Bfloat16Operand::Bfloat16Operand(ThreadPool& pool, const Operand& b, std::size_t inner,
                                 std::size_t columns)
    : inner_(inner),
      columns_(columns),
      values_(panels_of(columns) * packed_numbers(inner) * sizeof(std::uint16_t)) {
  pack(pool, b, inner, columns, values_.as<std::uint16_t>());
}

void multiply_bfloat16(ThreadPool& pool, const Product& product) {
  thread_local Scratch scratch;
  auto* const b =
      scratch.numbers<std::uint16_t>(panels_of(product.columns) * packed_numbers(product.inner));
  pack(pool, product.b, product.inner, product.columns, b);
  multiply_packed(pool, product, b);
}

void multiply(ThreadPool& pool, const Product& product, const Bfloat16Operand& b) {
  base::check(b.inner() == product.inner && b.columns() == product.columns,
              "the rounded operand has the shape of the product's");
  multiply_packed(pool, product, b.values());
}

}  // namespace awend::host
