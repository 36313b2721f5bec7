// The weights of a model as arrays of another toolkit, each of which is made when it is written.
//
// Test: tests/unit/interchange/export_test.cpp, tests/unit/interchange/model_weights_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/names.hpp"
#include "model/weight_layout.hpp"
#include "store/streamed_array.hpp"

namespace awend::interchange {

/// A weight, by the name and in the order of `location`.  The model must outlive it.
store::StreamedArray streamed(const ConvertedModel& model, const model::WeightShape& weight,
                              const Location& location);

/// Writes a matrix of this many columns as it is, or transposed, for which it is in memory.
void write_matrix(const ModelWeights& weights, const std::string& name, std::size_t columns,
                  const store::WriteFloats& write);
void write_transposed(const ModelWeights& weights, const std::string& name, std::size_t rows,
                      const store::WriteFloats& write);

}  // namespace awend::interchange
