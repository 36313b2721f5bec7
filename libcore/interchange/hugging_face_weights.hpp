// Writes the weights of a Transformer by the names of Hugging Face transformers.
//
// Test: tests/unit/interchange/export_test.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "interchange/converted_model.hpp"

namespace awend::interchange {

/// What an architecture of Hugging Face has, whether the model has it or not.
struct HuggingFaceLayout {
  enum class OutputBias { kIfAny, kAlways } output_bias = OutputBias::kAlways;
  /// Rows of zeros before those of tables of positions, which are not written if they are computed.
  std::uint32_t unused_positions = 0;
};

/// Writes a file of safetensors.  Biases that the model does not have are zeros; the biases of
/// attention are always there.
void write_hugging_face_weights(const std::string& path, const ConvertedModel& model,
                                const HuggingFaceLayout& layout);

}  // namespace awend::interchange
