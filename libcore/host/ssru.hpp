// Simpler simple recurrent units on the CPU; the formulas are in shaders/op_ssru.comp.  Test:
// tests/kernels/ssru_test.cpp.
#pragma once

#include "host/sentence_rows.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

struct Ssru {
  SentenceRows rows;
  const float* candidate;
  const float* forget;
  const float* initial;  ///< (sentences, columns); null: zero.
  float* y;
  float* states;  ///< Null: not stored.
};
void ssru(ThreadPool& pool, const Ssru& ssru);

struct SsruBackward {
  SentenceRows rows;
  const float* candidate;
  const float* forget;
  const float* states;
  const float* dy;
  float* dcandidate;
  float* dforget;
};
void ssru_backward(ThreadPool& pool, const SsruBackward& backward);

}  // namespace awend::host
