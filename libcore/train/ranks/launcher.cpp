#include "train/ranks/launcher.hpp"

#include "base/numbers.hpp"

namespace awend::train {
namespace {

std::optional<std::uint32_t> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  const auto value = base::find_number<std::uint32_t>(text);
  return value.value_or(0) > 0 ? value : std::nullopt;
}

}  // namespace

std::optional<Launch> find_launch(const Environment& environment) {
  // Open MPI's mpirun; MPICH's, Intel's and Slurm's PMI 2.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const auto ranks = number(environment(name))) return Launch{name, ranks};
  }
  // Slurm sets this for the tasks of a step, but not for a batch script.
  const auto tasks = number(environment("SLURM_STEP_NUM_TASKS"));
  for (const char* name : {"PMIX_RANK", "PMI_RANK"}) {
    if (environment(name) != nullptr) return Launch{name, tasks};
  }
  if (tasks.value_or(1) > 1) return Launch{"SLURM_STEP_NUM_TASKS", tasks, false};
  return std::nullopt;
}

}  // namespace awend::train
