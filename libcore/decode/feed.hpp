// A packed batch becomes what the kernels read: its arrays are copied into a program's inputs, its
// sizes into the counts.
#pragma once

#include "data/batch.hpp"
#include "model/inputs.hpp"
#include "nn/program.hpp"

namespace awend::decode {

/// Writes all of `batch` that `inputs` declare.  Requires: `program` is compiled.  Throws Error if
/// the batch is larger than the program's capacity.
void feed(nn::Program& program, const model::BatchInputs& inputs, const data::Batch& batch);

}  // namespace awend::decode
