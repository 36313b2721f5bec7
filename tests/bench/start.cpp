// How long a process takes to its first results: with no compiled kernels at all, and with those
// that an earlier process left in the driver's cache on disk.
//
// The process is this program with --once.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "data/batch.hpp"
#include "decode/device_step_model.hpp"
#include "model/checkpoint.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step.hpp"
#include "tests/scratch.hpp"
#include "train/trainer.hpp"

namespace awend::bench {
namespace {

/// The environment of this process with the caches of drivers (Mesa, NVIDIA, others) in
/// `directory`.
std::vector<std::string> environment_with_caches(const std::string& directory) {
  const std::string_view names[] = {
      "MESA_SHADER_CACHE_DIR=", "__GL_SHADER_DISK_CACHE_PATH=", "XDG_CACHE_HOME="};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (std::ranges::none_of(names, [&](auto name) { return text.starts_with(name); }))
      variables.push_back(text);
  }
  for (const auto name : names) variables.push_back(base::concat(name, directory));
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs this program with --once; Error if it fails.
void run_child(const std::string& device, const std::string& cache) {
  std::vector<std::string> arguments = {"awend-bench", "--once", "--device", device};
  std::vector<std::string> variables = environment_with_caches(cache);
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", nullptr, nullptr,
                                pointers(arguments).data(), pointers(variables).data());
  if (error != 0) base::fail_errno("/proc/self/exe", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) base::fail_errno("waitpid", errno);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) base::fail("the child process failed");
}

}  // namespace

void start_once(const std::string& device) {
  nn::Engine engine({.requested = device});
  const StepModel it = small_step();
  train::Trainer trainer(engine, it.config, recipe_of(it));
  const std::vector<batch::PackedBatch> batches = {batch_of(it)};
  trainer.update(batches);

  const tests::Scratch scratch;
  const auto checkpoint = scratch.path("model.safetensors");
  model::save(checkpoint, {trainer.parameters()}, it.config, {});
  decode::LoadedModel model(engine, store::ArrayFile(checkpoint), nn::Element::kFloat32);
  decode::DeviceStepModel step_model(
      engine, decode::single_model(model.view()),
      {.source_rows = 512, .rows = 128, .cache_rows = 8192, .longest = 1024, .candidates = 8});
  const std::vector<std::uint32_t> sentence = {2, 3, 4, 1};
  const model::SourceSentence source = {.ids = sentence, .first_row = 0};
  step_model.encode({&source, 1});
  step_model.step({.rows = {{.last_id = batch::kNoToken, .source = {0, 4}, .past = {0, 1}}},
                   .requests = {{}},
                   .cache_rows = {0},
                   .adjustments = {}});
}

void start(const Bench& bench) {
  bench.report.section("start",
                       "seconds of a process that makes and replays once a small model's training "
                       "and decoding programs",
                       {{"seconds", "seconds", 2}});
  if (!bench.report.wants()) return;
  const tests::Scratch cache;
  const auto device = bench.engine.id();
  for (const auto* name : {"first, nothing cached", "second, with the cache of the first"})
    bench.report.row(name, {seconds_of([&] { run_child(device, cache.folder()); })});
}

}  // namespace awend::bench
