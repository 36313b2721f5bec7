// Checkpoints of awend written for other toolkits.
//
// Test: tests/unit/interchange/export_test.cpp, tests/cli/convert_model.sh.
#pragma once

#include <string>

#include "interchange/converted_model.hpp"

namespace awend::interchange {

/// Writes the directory of a CTranslate2 model, version 6, in float32: model.bin, config.json and
/// the vocabularies.  Throws Error naming the setting that the format cannot express.
void write_ctranslate2_model(const std::string& directory, const ConvertedModel& model);

}  // namespace awend::interchange
