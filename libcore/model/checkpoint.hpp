// Weights of a model to and from a checkpoint: one safetensors file with configuration and
// vocabulary in its metadata.
#pragma once

#include <map>
#include <string>

#include "model/config.hpp"
#include "nn/parameters.hpp"
#include "store/array_file.hpp"

namespace awend::model {

/// The configuration that a checkpoint carries.  Throws Error naming the file if it carries none,
/// or has fewer arrays than layers.
Config read_config(const store::ArrayFile& file);

/// Throws Error naming the file and the parameter unless the file has an array of the right shape
/// for each parameter.  Before memory is allocated, this ensures that it is in proportion to the
/// file.
void require_arrays(const nn::Parameters& parameters, const store::ArrayFile& file);

/// Reads all parameters (or moments) by name.  Throws Error naming the file if its arrays do not
/// match their digest, and naming the parameter that is missing, has another shape, or does not
/// belong to the model.
void load(nn::Parameters& parameters, const store::ArrayFile& file,
          nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues,
          const std::string& prefix = "");

/// The digest that save() gives the arrays of these parameters (see store/digest.hpp).
std::string weights_digest(const nn::Parameters& parameters, nn::Parameters::Buffer buffer);

/// Writes a weights file, atomically, of the values or their average.  `metadata` is added to
/// awend.format and awend.config.
void save(const std::string& path, const nn::Parameters& parameters, const Config& config,
          const std::map<std::string, std::string>& metadata,
          nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues);

}  // namespace awend::model
