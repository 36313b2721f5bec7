// The checkpoints in a directory, and their names.
//
// A checkpoint after 1000 updates is `model-00001000.safetensors`, which is sufficient for
// translate and average; `state-00001000.safetensors` next to it contains what is needed only to
// resume training.
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

/// "DIRECTORY/pending-00001000.safetensors": a training state before its weights are written.
std::string pending_path(const std::string& directory, std::uint64_t step);

/// The checkpoints of a directory by increasing step.  Other files, and states without a model,
/// are ignored.  Throws Error if the directory cannot be read.
std::vector<Checkpoint> list_checkpoints(const std::string& directory);

/// The checkpoint whose weights are at `path`, with the state of its step if it exists in the same
/// directory; without a state if the name has another form.
Checkpoint checkpoint_at(const std::string& path);

/// The checkpoint to resume from: checkpoint_at(path), or for a directory its newest checkpoint
/// that has a training state.  Throws Error if a directory has none, or cannot be read.
Checkpoint resumable_checkpoint(const std::string& path);

/// A training state, and the path of the weights that belong to it, which may not exist.
struct State {
  std::uint64_t step = 0;
  std::string path;
  std::string weights;
};

/// The training states whose weights were removed, by increasing step.  Throws Error if the
/// directory cannot be read.
std::vector<State> states_without_weights(const std::string& directory);

/// The training states that a process leaves if it is killed while it writes a checkpoint.  Throws
/// Error if the directory cannot be read.
std::vector<State> pending_states(const std::string& directory);

/// Whether train writes files with this name: weights, training states and the link to the best.
bool is_checkpoint_name(std::string_view name);

/// Throws Error if writing to `output` would replace a checkpoint from which training resumes, or,
/// through a link such as `best.safetensors`, a checkpoint of another name.
void refuse_checkpoint_of_run(const std::string& output);

/// Whether the path is a regular file that begins as a checkpoint does.
bool looks_like_checkpoint(const std::string& path);

/// The model file for a path on a command line: the path itself, or for a directory its
/// `best.safetensors`, otherwise its checkpoint with the highest step.  Throws Error if a
/// directory has neither.  The file need not exist.
std::string model_file(const std::string& path);

}  // namespace awend::store
