// Embeddings on the CPU; the formulas are in shaders/op_embedding.comp and
// shaders/op_embedding_backward.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/embedding_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/rows.hpp"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/embedding.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void embed_rows(const Embedding& e, std::size_t begin, std::size_t end) {
  const auto dropout = dropout_of(e);
  for (std::size_t row = begin; row < end; ++row) {
    const float* const position = e.positions + e.places[row] * e.columns;
    float* const y = e.y + row * e.columns;
    const auto index = static_cast<std::uint32_t>((e.tokens_count.first() + row) * e.columns / 4);
    if (e.ids[row] == NO_TOKEN) {
      for_factors(dropout, index, e.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::LoadU(d, position + i), factor), d, y + i);
      });
      continue;
    }
    const float* const token = e.table + e.ids[row] * e.columns;
    for_factors(dropout, index, e.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
      const auto sum =
          hn::MulAdd(hn::LoadU(d, token + i), hn::Set(d, e.multiplier), hn::LoadU(d, position + i));
      hn::StoreU(hn::Mul(sum, factor), d, y + i);
    });
  }
}

// Sums of a part of the columns stay in the nearest cache.
constexpr std::size_t kColumns = 512;

void add_segment(const EmbeddingBackward& e, std::size_t segment, std::size_t column,
                 std::size_t columns) {
  const auto dropout = dropout_of(e);
  HWY_ALIGN float sum[kColumns];
  std::fill_n(sum, columns, 0.0F);
  for (std::size_t i = e.segment_begins[segment]; i < e.segment_begins[segment + 1]; ++i) {
    const std::size_t at = e.sorted_rows[i] * e.columns + column;
    const auto index = static_cast<std::uint32_t>((e.tokens_count.first() * e.columns + at) / 4);
    const float* const dy = e.dy + at;
    for_factors(dropout, index, columns, [&](auto d, std::size_t j, auto factor) HWY_ATTR {
      hn::StoreU(hn::MulAdd(hn::LoadU(d, dy + j), factor, hn::LoadU(d, sum + j)), d, sum + j);
    });
  }
  float* const gradient = e.gradient + e.segment_ids[segment] * e.columns + column;
  for_vectors(columns, [&](auto d, std::size_t j) HWY_ATTR {
    const auto old = hn::LoadU(d, gradient + j);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, sum + j), hn::Set(d, e.multiplier), old), d, gradient + j);
  });
}

void add_segments(const EmbeddingBackward& e, std::size_t begin, std::size_t end) {
  for (std::size_t segment = begin; segment < end; ++segment) {
    for (std::size_t column = 0; column < e.columns; column += kColumns)
      add_segment(e, segment, column, std::min(kColumns, e.columns - column));
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(embed_rows);
HWY_EXPORT(add_segments);

void embedding(ThreadPool& pool, const Embedding& embedding) {
  for_rows(pool, embedding.rows_count.rows(), 2 * embedding.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(embed_rows)(embedding, begin, end);
           });
}

void embedding_backward(ThreadPool& pool, const EmbeddingBackward& backward) {
  const std::size_t segments = backward.segments_count.rows();
  if (segments == 0) return;
  // Parts of about the same number of rows, because few ids occur in many rows.
  const std::uint32_t* const begins = backward.segment_begins;
  const std::size_t rows = begins[segments] - begins[0];
  const auto segment_of = [&](std::size_t row) {
    return static_cast<std::size_t>(std::lower_bound(begins, begins + segments, begins[0] + row) -
                                    begins);
  };
  for_rows(pool, rows, 2 * backward.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(add_segments)(backward, segment_of(begin), segment_of(end));
  });
}

}  // namespace awend::host
#endif
