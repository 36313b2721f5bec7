// Saves and loads the weights of a model: one safetensors file with configuration and vocabulary in
// its metadata.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "model/model.hpp"
#include "nn/parameters.hpp"
#include "store/array_file.hpp"
#include "store/array_writer.hpp"

namespace awend::model {

/// The configuration in a checkpoint.  Throws Error naming the file if there is none, if its
/// architecture is unknown, or if it has more layers than the file has arrays.
Config read_config(const store::ArrayFile& file);

/// Throws Error naming the file and the parameter unless the file has an array of the right shape
/// for each parameter.  Called before memory is allocated, it keeps that in proportion to the file.
void require_arrays(const nn::Parameters& parameters, const store::ArrayFile& file);

/// Reads all parameters (or moments) by name.  Throws Error naming the file if its arrays do not
/// match their digest, and naming the parameter that is missing, has another shape, or does not
/// belong to the model.
void load(nn::Parameters& parameters, const store::ArrayFile& file,
          nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues,
          const std::string& prefix = "");

/// Allocates the memory of a model that is not trained, and reads it.  On the processor, matrices
/// are read where the file is mapped, which must outlive the programs of the model.  Throws Error
/// as load() and require_arrays().
void load_for_inference(nn::Engine& engine, nn::Parameters& parameters,
                        const store::ArrayFile& file, nn::Element precision);

/// The names of the parameters that a model of the same architecture and perhaps another task does
/// not take from the file: those of heads that the file lacks, or of heads for other labels.
std::vector<std::string> own_heads(const ModelView& model, const store::ArrayFile& file);

/// As load() for such a model: its own_heads(), which it returns, keep their values, and arrays of
/// heads that the model lacks are ignored.
std::vector<std::string> load_shared(const ModelView& model, const store::ArrayFile& file);

/// The values of parameters, or another buffer of theirs such as the moving average.
struct WeightsView {
  const nn::Parameters& parameters;
  nn::Parameters::Buffer buffer = nn::Parameters::Buffer::kValues;
};

/// What a weights file contains besides the weights.
struct OtherContents {
  std::map<std::string, std::string> metadata;  ///< In addition to awend.format and awend.config.
  std::vector<store::Array> arrays = {};        ///< Views.
};

/// Writes a weights file that appears when the caller commits it.
std::unique_ptr<store::ArrayWriter> write_weights(const std::string& path,
                                                  const WeightsView& weights, const Config& config,
                                                  const OtherContents& others);

/// The same, and commits it.
void save(const std::string& path, const WeightsView& weights, const Config& config,
          const std::map<std::string, std::string>& metadata);

}  // namespace awend::model
