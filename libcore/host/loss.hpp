// Label-smoothed cross entropy and its gradient on the CPU; the formulas are in
// shaders/op_loss.comp and shaders/op_row_sum.comp.  Test: tests/kernels/loss_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/thread_pool.hpp"

namespace awend::host {

enum class LossGradient { kNone, kReplacesLogits };

struct Loss {
  std::size_t rows;
  std::size_t columns;     ///< A multiple of 4.
  std::size_t vocabulary;  ///< Columns from this one on are padding, with gradient 0.
  float smoothing;
  float scale;  ///< Of the gradient.
  LossGradient gradient;
  const std::uint32_t* targets;  ///< (rows)
  float* logits;                 ///< (rows, columns)
  float* losses;                 ///< (rows, 2): smoothed loss, and −ln p of the target
};
void loss(ThreadPool& pool, const Loss& loss);

/// total = Σ pairs, (rows, 2).
void row_sum(const float* pairs, std::size_t rows, float* total);

}  // namespace awend::host
