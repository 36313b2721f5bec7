// Weights of a model to and from a checkpoint: one safetensors file with configuration and
// vocabulary in its metadata.
#pragma once

#include <map>
#include <string>

#include "model/config.hpp"
#include "nn/parameters.hpp"
#include "store/array_file.hpp"

namespace awend::model {

/// The configuration that a checkpoint carries.  Throws Error naming the file if it carries none.
Config read_config(const store::ArrayFile& file);

/// Reads all parameters (or moments) by name.  Throws Error naming the file and the parameter that
/// is missing, has another shape, or does not belong to the model.
void load(nn::Parameters& parameters, const store::ArrayFile& file,
          nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues,
          const std::string& prefix = "");

/// Writes a weights file, atomically, of the values or their average.  `metadata` is added to
/// awend.format and awend.config.
void save(const std::string& path, const nn::Parameters& parameters, const Config& config,
          const std::map<std::string, std::string>& metadata,
          nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues);

}  // namespace awend::model
