// The checkpoints in a folder: how they are named, and which there are.
//
// A checkpoint after 1000 updates is `model-00001000.safetensors`, which is all that translate and
// average need; beside it `state-00001000.safetensors` holds what only going on with training
// needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::store {

struct Checkpoint {
  std::uint64_t step = 0;
  std::string weights;               // the path of the model file, which exists
  std::optional<std::string> state;  // the path of the training state, if that exists
};

/// The link to the checkpoint with the best validation.
inline constexpr std::string_view kBestName = "best.safetensors";

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

/// Training states whose weights are missing, as a process that is killed between writing the two
/// leaves them.  Throws Error if the directory cannot be read.
std::vector<std::string> states_without_weights(const std::string& directory);

/// Whether train writes files of this name: weights, states and the link to the best.
bool is_checkpoint_name(std::string_view name);

/// The model file that a path on a command line names: the path itself, or for a directory its
/// `best.safetensors`, otherwise its checkpoint of the highest step.  Throws Error if a directory
/// has neither.  Whether the file exists is not checked.
std::string model_file(const std::string& path);

}  // namespace awend::store
