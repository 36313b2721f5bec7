#include "store/checkpoints.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "base/error.hpp"

namespace awend::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStepDigits =
    8;  // as long as no run is longer than 10^8 steps, names sort by step
constexpr std::string_view kSuffix = ".safetensors";

std::string path_of(const std::string& directory, std::string_view stem, std::uint64_t step) {
  auto digits = base::concat(step);
  if (digits.size() < kStepDigits) digits.insert(0, kStepDigits - digits.size(), '0');
  return (fs::path(directory) / base::concat(stem, "-", digits, kSuffix)).string();
}

// The step in "STEM-00001000.safetensors"; nothing if the name is another, as that of a file being
// written is.
std::optional<std::uint64_t> step_in(std::string_view name, std::string_view stem) {
  const auto prefix = base::concat(stem, "-");
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) return std::nullopt;
  if (name.size() < prefix.size() + kStepDigits + kSuffix.size()) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kSuffix.size());
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return step;
}

}  // namespace

std::string weights_path(const std::string& directory, std::uint64_t step) {
  return path_of(directory, "model", step);
}

std::string state_path(const std::string& directory, std::uint64_t step) {
  return path_of(directory, "state", step);
}

std::vector<Checkpoint> list_checkpoints(const std::string& directory) {
  std::error_code error;
  fs::directory_iterator folder(directory, error);
  if (error) base::fail(directory, ": ", error.message());
  std::map<std::uint64_t, std::string> weights, states;
  for (; folder != fs::directory_iterator(); folder.increment(error)) {
    const auto& entry = *folder;
    const auto name = entry.path().filename().string();
    if (auto step = step_in(name, "model")) weights[*step] = entry.path().string();
    if (auto step = step_in(name, "state")) states[*step] = entry.path().string();
  }
  if (error) base::fail(directory, ": ", error.message());
  std::vector<Checkpoint> checkpoints;
  for (const auto& [step, path] : weights) {
    Checkpoint checkpoint{.step = step, .weights = path, .state = std::nullopt};
    if (auto state = states.find(step); state != states.end()) checkpoint.state = state->second;
    checkpoints.push_back(std::move(checkpoint));
  }
  return checkpoints;
}

Checkpoint checkpoint_at(const std::string& path) {
  std::error_code error;
  fs::path real = path;
  if (fs::is_symlink(real, error))  // as the one to the best
    real = real.parent_path() / fs::read_symlink(real, error);
  Checkpoint checkpoint{.step = 0, .weights = path, .state = std::nullopt};
  const auto step = step_in(real.filename().string(), "model");
  if (error || !step) return checkpoint;
  checkpoint.step = *step;
  const auto state = state_path(real.parent_path().string(), *step);
  if (fs::exists(state, error)) checkpoint.state = state;
  return checkpoint;
}

std::optional<Checkpoint> latest_resumable(const std::string& directory) {
  const auto checkpoints = list_checkpoints(directory);
  for (auto i = checkpoints.rbegin(); i != checkpoints.rend(); ++i) {
    if (i->state) return *i;
  }
  return std::nullopt;
}

}  // namespace awend::store
