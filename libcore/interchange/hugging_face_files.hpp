// What the readers of Hugging Face's models have in common.
//
// Test: tests/properties/foreign_models_test.cpp.
#pragma once

#include <functional>
#include <string>

#include "interchange/foreign_settings.hpp"
#include "interchange/model_files.hpp"
#include "model/config.hpp"
#include "store/strided_array.hpp"

namespace awend::interchange {

/// The activation in a setting.  Throws Error naming the setting if it is not supported.
nn::Activation activation_in(ForeignSettings& settings, std::string_view name);

/// Ignores settings that all models have, and that do not change what a model computes.
void ignore_common_settings(ForeignSettings& settings);

/// Calls read() with the arrays of a file of safetensors or of torch.save().
void read_arrays(ModelFiles& files, const std::string& name,
                 const std::function<void(store::StridedArrays)>& read);

}  // namespace awend::interchange
