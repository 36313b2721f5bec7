// Environments in which a process is one of several.
#include "train/ranks/launcher.hpp"

#include <map>

#include "tests/catch.hpp"

namespace awend::train {
namespace {

std::optional<Launch> launch_in(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST_CASE("a single process has no launcher", "[launcher]") {
  CHECK_FALSE(launch_in({}));
  CHECK_FALSE(launch_in({{"OMPI_MCA_btl", "self"}, {"PMI_SIZE", "many"}}));
  // The script of sbatch, and a step of one task.
  CHECK_FALSE(launch_in({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));
  CHECK_FALSE(launch_in({{"SLURM_NTASKS", "8"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
}

TEST_CASE("launchers set the number of processes, or MPI knows it", "[launcher]") {
  const auto mpirun = launch_in({{"OMPI_COMM_WORLD_SIZE", "8"}, {"PMIX_RANK", "3"}});
  REQUIRE(mpirun);
  CHECK(mpirun->launcher == "OMPI_COMM_WORLD_SIZE");
  CHECK(mpirun->ranks == 8u);
  CHECK(mpirun->speaks_mpi);
  CHECK(launch_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}})->ranks == 4u);
  CHECK(launch_in({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}})->ranks == 4u);
  CHECK_FALSE(launch_in({{"PMIX_RANK", "0"}})->ranks);
}

TEST_CASE("Slurm tasks that cannot connect are detected", "[launcher]") {
  const auto launch = launch_in({{"SLURM_STEP_NUM_TASKS", "4"}});
  REQUIRE(launch);
  CHECK(launch->ranks == 4u);
  CHECK_FALSE(launch->speaks_mpi);
}

}  // namespace
}  // namespace awend::train
