// Steps of recurrent networks on the CPU; the formulas are in shaders/op_lstm.comp, op_gru.comp and
// op_feed.comp.
//
// Row i of a step is the sentence of rank i; table[i] is the row of its token in packed tensors.
// Test: tests/kernels/recurrent_test.cpp, recurrent_decoder_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/thread_pool.hpp"

namespace awend::host {

/// The rows of one step.
struct StepOfRows {
  std::size_t rows;
  std::size_t columns;         ///< Of the state; a multiple of 4.
  const std::uint32_t* table;  ///< (rows)
};

struct Lstm {
  StepOfRows step;
  const float* inputs;  ///< Packed (rows, 4 · columns): products of the inputs, or null.
  const float* input;   ///< By rank (rows, 4 · columns): products of inputs of this step, or null.
  const float* hidden;  ///< By rank (rows, 4 · columns): product of the state.
  float* h;             ///< By rank: the state.
  float* c;
  float* y;      ///< Packed: h after the step.
  float* gates;  ///< Packed (rows, 4 · columns), may be `inputs`; null: nothing is kept.
  float* h_before;
  float* c_before;
};
void lstm(ThreadPool& pool, const Lstm& lstm);

struct LstmBackward {
  StepOfRows step;
  const float* gates;     ///< Packed
  const float* c_before;  ///< Packed
  const float* dy;        ///< Packed, or null
  const float* dh;        ///< By rank
  float* dc;              ///< By rank: after the step, then before it.
  float* dgates;          ///< Packed
  float* dgates_of_step;  ///< By rank: the same.
};
void lstm_backward(ThreadPool& pool, const LstmBackward& backward);

struct Gru {
  StepOfRows step;
  const float* inputs;  ///< Packed (rows, 3 · columns), or null.
  const float* input;   ///< By rank (rows, 3 · columns), or null.
  const float* hidden;  ///< By rank (rows, 3 · columns)
  float* h;             ///< By rank
  float* y;             ///< Packed
  float* gates;         ///< Packed (rows, 3 · columns), may be `inputs`; null: nothing is kept.
  float* h_before;
  float* candidate;  ///< Packed: the last part of `hidden`.
};
void gru(ThreadPool& pool, const Gru& gru);

struct GruBackward {
  StepOfRows step;
  const float* gates;
  const float* h_before;
  const float* candidate;
  const float* dy;         ///< Packed, or null
  float* dh;               ///< By rank: from later steps, then the part without a product.
  float* dgates;           ///< Packed: of the product of the input.
  float* dhidden;          ///< Packed: of the product of the state.
  float* dgates_of_step;   ///< By rank: the same.
  float* dhidden_of_step;  ///< By rank
};
void gru_backward(ThreadPool& pool, const GruBackward& backward);

/// The attentional state tanh(z) of a decoder with input feeding.
struct Feed {
  StepOfRows step;
  const float* z;   ///< By rank
  float* f;         ///< By rank
  float* y;         ///< Packed
  float* f_before;  ///< Packed; null: it is not kept.
};
void feed(ThreadPool& pool, const Feed& feed);

struct FeedBackward {
  StepOfRows step;
  const float* y;   ///< Packed
  const float* dy;  ///< Packed, or null
  const float* df;  ///< By rank
  float* dz;        ///< By rank
  float* dz_rows;   ///< Packed: the same.
};
void feed_backward(ThreadPool& pool, const FeedBackward& backward);

}  // namespace awend::host
