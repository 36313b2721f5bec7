// Weighted sums of embeddings on the CPU; the formulas are in shaders/op_embedding_bag.comp and
// shaders/op_embedding_bag_backward.comp.  Test: tests/kernels/embedding_bag_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/thread_pool.hpp"

namespace awend::host {

enum class BagWeights { kOne, kPosition };

/// y[bag] = Σ weight · table[id] over the rows of the bag.
struct EmbeddingBag {
  std::size_t bags;
  std::size_t columns;  ///< A multiple of 4.
  BagWeights weights;
  const std::uint32_t* ids;          ///< (rows)
  const std::uint32_t* rows_of_bag;  ///< (bags, 2)
  const float* table;                ///< (ids, columns)
  float* y;                          ///< (bags, columns)
};
void embedding_bag(ThreadPool& pool, const EmbeddingBag& bag);

/// gradient[ids[s]] += Σ weight · dy[bag] over the bags of the rows of segment s.
struct EmbeddingBagBackward {
  std::size_t segments;
  std::size_t columns;
  BagWeights weights;
  const std::uint32_t* ids;          ///< (segments), different from each other
  const std::uint32_t* begins;       ///< (segments + 1)
  const std::uint32_t* sorted_rows;  ///< (rows)
  const std::uint32_t* bags_of_row;  ///< (rows, 2)
  const std::uint32_t* rows_of_bag;  ///< (bags, 2)
  const float* dy;                   ///< (bags, columns)
  float* gradient;                   ///< (ids, columns)
};
void embedding_bag_backward(ThreadPool& pool, const EmbeddingBagBackward& backward);

}  // namespace awend::host
