// Attention on matrix units: launches of shaders/op_attention_matrix.comp with 16-bit copies of q,
// k, v and dy.  Test: tests/kernels/matrix_attention_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/attention/launches.hpp"

namespace awend::nn {

/// A workgroup processes `rows` own rows of one head, with as many other rows at a time.
struct MatrixAttentionCut {
  vulkan::MatrixShape fragment;
  std::uint32_t rows;
  std::uint32_t threads;
};

/// The largest that fits the device; none if operands are fp32, if the device has no matrix units
/// for them, or if they do not divide the head's columns.
std::optional<MatrixAttentionCut> matrix_attention_cut(const vulkan::Limits& limits,
                                                       Element operands,
                                                       const AttentionShape& shape);

AttentionKernels matrix_attention_kernels(const MatrixAttentionCut& cut);

}  // namespace awend::nn
