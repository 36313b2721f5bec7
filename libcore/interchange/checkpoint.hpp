// Checkpoints of awend as converted models, read and written without the network.
//
// Test: tests/properties/foreign_models_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"

namespace awend::interchange {

/// Writes a checkpoint of the model, atomically.
void write_checkpoint(const std::string& path, const ConvertedModel& model);

/// Throws Error naming the file if it is not a checkpoint, is damaged, or has another architecture
/// than a Transformer or BERT.  Quantized weights are widened.
ConvertedModel read_checkpoint(const std::string& path);

}  // namespace awend::interchange
