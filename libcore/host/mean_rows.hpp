// Means of the rows of sentences on the CPU; the formulas are in shaders/op_mean_rows.comp.  Test:
// tests/kernels/mean_rows_test.cpp.
#pragma once

#include "host/sentence_rows.hpp"
#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

struct MeanRows {
  SentenceRows rows;
  const float* x;
  float* y;  ///< (sentences, columns)
};
void mean_rows(ThreadPool& pool, const MeanRows& mean);

struct MeanRowsBackward {
  SentenceRows rows;
  Store store;
  const float* dy;  ///< (sentences, columns)
  float* dx;
};
void mean_rows_backward(ThreadPool& pool, const MeanRowsBackward& backward);

}  // namespace awend::host
