// Checkpoints of awend as converted models, read and written without the network.
//
// Test: tests/properties/foreign_models_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "store/average.hpp"

namespace awend::interchange {

/// Writes a checkpoint of the model, atomically.  Matrices of 8 bits are those that average writes.
void write_checkpoint(const std::string& path, const ConvertedModel& model,
                      store::Storage storage = store::Storage::kFloat32);

/// Throws Error naming the file if it is not a checkpoint, is damaged, or has a memory network: the
/// weights of these have no layout.  Quantized weights are widened.
ConvertedModel read_checkpoint(const std::string& path);

}  // namespace awend::interchange
