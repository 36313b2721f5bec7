// Means of the rows of sentences, and copies of a row to the rows of its sentence.
//
// Test: tests/kernels/mean_rows_test.cpp.
#pragma once

#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

/// The mean of the rows of each sentence: (sentences, columns).  `ranges`, (sentences, 2), are the
/// first row and the end of each; none is empty, and each row of `x` is in one of them.
Tensor mean_rows(Graph& graph, const Tensor& x, const Tensor& ranges);

/// The rows of a sentence s are row s of `x`: (rows, columns).  `ranges`, (sentences, 2), are the
/// first row and the end of each; each of `rows` is in one of them.
Tensor repeat_rows(Graph& graph, const Tensor& x, const Tensor& ranges, const Count& rows);

}  // namespace awend::nn
