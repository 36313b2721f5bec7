// The checkpoints in a folder: how they are named, and which there are.
//
// A checkpoint after 1000 updates is `model-00001000.safetensors`, which is all that translate and
// average need; beside it `state-00001000.safetensors` holds what only going on with training
// needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace awend::store {

struct Checkpoint {
  std::uint64_t step = 0;
  std::string weights;               // the path of the model file, which exists
  std::optional<std::string> state;  // the path of the training state, if that exists
};

/// "DIRECTORY/model-00001000.safetensors"
std::string weights_path(const std::string& directory, std::uint64_t step);

/// "DIRECTORY/state-00001000.safetensors"
std::string state_path(const std::string& directory, std::uint64_t step);

/// The checkpoints of a folder by rising step.  Other files, and a state without its model, are
/// passed over.  Throws Error if the folder cannot be read.
std::vector<Checkpoint> list_checkpoints(const std::string& directory);

/// The checkpoint whose weights are at `path`, with the state of its step if that lies beside it;
/// without one if the name is another.
Checkpoint checkpoint_at(const std::string& path);

/// The checkpoint of the highest step that has its training state, which is where training goes on;
/// nothing if there is none.
std::optional<Checkpoint> latest_resumable(const std::string& directory);

}  // namespace awend::store
