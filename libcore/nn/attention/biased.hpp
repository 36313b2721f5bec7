// Attention with biases of the scores by relative positions: launches of the portable kernels with
// biases, on all devices.  Test: tests/kernels/relative_attention_test.cpp.
#pragma once

#include "nn/attention/launches.hpp"

namespace awend::nn {

class Graph;

AttentionKernels biased_attention_kernels(Graph& graph, const RelativeBias& bias);

/// Appends the gradient of the table of `bias` from the sums of all queries.
void add_bias_gradient(Graph& graph, const RelativeBias& bias, const Tensor& sums);

}  // namespace awend::nn
