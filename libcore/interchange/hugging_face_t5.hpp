// T5 v1.1, mT5 and MADLAD-400 of Hugging Face transformers, which are one architecture, and T5.
//
// Test: tests/properties/foreign_hugging_face_test.cpp, tests/unit/interchange/t5_export_test.cpp.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/model_files.hpp"

namespace awend::interchange {

/// config.json with the type t5 or mt5, spiece.model, and weights in one or more files of
/// safetensors or of torch.save(), of which `name` is one.
ConvertedModel read_t5(ModelFiles& files, const std::string& name);

/// Where these models keep a weight; tables of relative positions are (buckets, heads).
Location t5_location(const model::Config& config, const model::WeightShape& weight);

/// Whether a model is written as one of these: if it has relative positions.
bool is_t5(const model::Config& config);

/// Writes the directory of a T5, with spiece.model and added_tokens.json.  Throws Error naming the
/// setting that these models do not have.
void write_t5(const std::string& directory, const ConvertedModel& model);

}  // namespace awend::interchange
