// Embeddings on the CPU; the formulas are in shaders/op_embedding.comp and
// shaders/op_embedding_backward.comp.  Test: tests/kernels/embedding_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "host/dropout.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

/// y = dropout(multiplier · table[id] + positions[place]).
struct Embedding {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  std::uint32_t first;  ///< Index of the first row in the whole update.
  std::optional<Dropout> dropout;
  float multiplier;
  const std::uint32_t* ids;     ///< (rows)
  std::uint32_t no_token;       ///< The id of a vector of zeros.
  const std::uint32_t* places;  ///< (rows)
  const float* table;           ///< (ids, columns)
  const float* positions;       ///< (places, columns)
  float* y;                     ///< (rows, columns)
};
void embedding(ThreadPool& pool, const Embedding& embedding);

/// gradient[ids[s]] += multiplier · Σ dropout(dy) over the rows sorted_rows[begins[s]] to
/// sorted_rows[begins[s + 1] - 1], in this order.
struct EmbeddingBackward {
  std::size_t segments;
  std::size_t columns;
  std::uint32_t first;
  std::optional<Dropout> dropout;
  float multiplier;
  const std::uint32_t* ids;          ///< (segments), different from each other
  const std::uint32_t* begins;       ///< (segments + 1)
  const std::uint32_t* sorted_rows;  ///< (rows)
  const float* dy;                   ///< (rows, columns)
  float* gradient;                   ///< (ids, columns)
};
void embedding_backward(ThreadPool& pool, const EmbeddingBackward& backward);

}  // namespace awend::host
