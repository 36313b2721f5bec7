#include "store/checkpoints.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/numbers.hpp"
#include "base/output_place.hpp"

namespace awend::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStepDigits = 8;  // names sort by step for runs of up to 10^8 steps
constexpr std::string_view kSuffix = ".safetensors";

std::string path_of(const std::string& directory, std::string_view stem, std::uint64_t step) {
  auto digits = base::concat(step);
  if (digits.size() < kStepDigits) digits.insert(0, kStepDigits - digits.size(), '0');
  return (fs::path(directory) / base::concat(stem, "-", digits, kSuffix)).string();
}

// The step in "STEM-00001000.safetensors"; nothing for other names, such as temporary files.
std::optional<std::uint64_t> step_in(std::string_view name, std::string_view stem) {
  const auto prefix = base::concat(stem, "-");
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) return std::nullopt;
  if (name.size() < prefix.size() + kStepDigits + kSuffix.size()) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kSuffix.size());
  return base::find_number<std::uint64_t>(name);
}

struct Files {
  std::map<std::uint64_t, std::string> weights, states, pending;  // by step
};

Files list_files(const std::string& directory) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  if (error) base::fail(directory, ": ", error.message());
  Files files;
  for (; entry != fs::directory_iterator(); entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (const auto step = step_in(name, "model")) files.weights[*step] = entry->path().string();
    if (const auto step = step_in(name, "state")) files.states[*step] = entry->path().string();
    if (const auto step = step_in(name, "pending")) files.pending[*step] = entry->path().string();
  }
  if (error) base::fail(directory, ": ", error.message());
  return files;
}

}  // namespace

std::string weights_path(const std::string& directory, std::uint64_t step) {
  return path_of(directory, "model", step);
}

std::string state_path(const std::string& directory, std::uint64_t step) {
  return path_of(directory, "state", step);
}

std::string pending_path(const std::string& directory, std::uint64_t step) {
  return path_of(directory, "pending", step);
}

std::vector<Checkpoint> list_checkpoints(const std::string& directory) {
  const auto files = list_files(directory);
  std::vector<Checkpoint> checkpoints;
  for (const auto& [step, path] : files.weights) {
    Checkpoint checkpoint{.step = step, .weights = path, .state = std::nullopt};
    if (auto state = files.states.find(step); state != files.states.end())
      checkpoint.state = state->second;
    checkpoints.push_back(std::move(checkpoint));
  }
  return checkpoints;
}

std::vector<State> states_without_weights(const std::string& directory) {
  const auto files = list_files(directory);
  std::vector<State> states;
  for (const auto& [step, path] : files.states) {
    if (!files.weights.contains(step))
      states.push_back({step, path, weights_path(directory, step)});
  }
  return states;
}

std::vector<State> pending_states(const std::string& directory) {
  std::vector<State> states;
  for (const auto& [step, path] : list_files(directory).pending)
    states.push_back({step, path, weights_path(directory, step)});
  return states;
}

bool is_checkpoint_name(std::string_view name) {
  return step_in(name, "model") || step_in(name, "state") || step_in(name, "pending") ||
         name == kBestName;
}

Checkpoint checkpoint_at(const std::string& path) {
  std::error_code error;
  fs::path real = path;
  if (fs::is_symlink(real, error))  // such as the link to the best checkpoint
    real = real.parent_path() / fs::read_symlink(real, error);
  Checkpoint checkpoint{.step = 0, .weights = path, .state = std::nullopt};
  const auto step = step_in(real.filename().string(), "model");
  if (error || !step) return checkpoint;
  checkpoint.step = *step;
  const auto state = state_path(real.parent_path().string(), *step);
  if (fs::exists(state, error)) checkpoint.state = state;
  return checkpoint;
}

void refuse_checkpoint_of_run(const std::string& output) {
  const fs::path place = base::find_output_place(output).path;
  const auto replaced = place.filename().string();
  const auto directory = place.parent_path();
  const auto step = step_in(replaced, "model");
  std::string reason;
  if (step && replaced != fs::path(output).filename()) {
    reason = base::concat("is a link to ", replaced);
  } else if (step && fs::exists(state_path(directory.string(), *step))) {
    reason = base::concat("training resumes from it and ",
                          fs::path(state_path(directory.string(), *step)).filename().string());
  } else if (step_in(replaced, "state") && fs::exists(place)) {
    reason = "training resumes from it";
  } else {
    return;
  }
  base::fail(output, ": ", reason, "; write to another file");
}

Checkpoint resumable_checkpoint(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return checkpoint_at(path);
  auto checkpoints = list_checkpoints(path);
  std::erase_if(checkpoints, [](const Checkpoint& checkpoint) { return !checkpoint.state; });
  if (checkpoints.empty())
    base::fail(path, ": the directory contains no checkpoint with a training state");
  return checkpoints.back();
}

bool looks_like_checkpoint(const std::string& path) {
  std::error_code error;
  // A pipe can be read only once.
  if (!fs::is_regular_file(path, error)) return false;
  char begin[9];  // the length of the header, and its first character
  return base::InputFile(path).read(begin, sizeof begin) == sizeof begin && begin[8] == '{';
}

std::string model_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  const auto best = fs::path(path) / kBestName;
  // A link to a removed checkpoint does not exist.
  if (fs::exists(best, error)) return best.string();
  const auto checkpoints = list_checkpoints(path);
  if (checkpoints.empty())
    base::fail(path, ": the directory contains neither ", kBestName, " nor model-N", kSuffix);
  return checkpoints.back().weights;
}

}  // namespace awend::store
