// The fixed scales of 8-bit products in the metadata of a checkpoint.
//
// Test: tests/properties/activation_scales_test.cpp, tests/unit/interchange/marian_int8_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "store/array_file.hpp"
#include "store/stored_settings.hpp"

namespace awend::store {

/// By the names of matrices, what the left operands of their products are multiplied with.
using ActivationScales = std::map<std::string, float, std::less<>>;

/// The scales in settings that were read from `path`.  Throws Error naming the file and the matrix
/// if one is not a positive number.
ActivationScales activation_scales_of(const Settings& settings, const std::string& path);
/// Those of a checkpoint; it may have none.
ActivationScales read_activation_scales(const ArrayFile& file);

}  // namespace awend::store
