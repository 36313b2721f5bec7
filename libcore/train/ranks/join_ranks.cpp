#include "train/ranks/join_ranks.hpp"

#include <cstdlib>

#include "base/error.hpp"
#include "train/ranks/launcher.hpp"
#include "train/ranks/ranks_mpi.hpp"

namespace awend::train {
namespace {

class Done : public Sum {
 public:
  bool advance() override { return true; }
};

/// A single process: every sum is its own value.
class SingleRank : public Ranks {
 public:
  std::uint32_t rank() const override { return 0; }
  std::uint32_t size() const override { return 1; }
  std::uint32_t local_rank() const override { return 0; }
  std::uint32_t local_size() const override { return 1; }
  std::unique_ptr<Sum> start_sum(std::span<float>, std::uint32_t) override {
    return std::make_unique<Done>();
  }
  void sum(std::span<double>) override {}
  std::int64_t largest(std::int64_t value) override { return value; }
  void broadcast(std::span<std::byte>) override {}
  std::vector<std::string> gather(const std::string& text) override { return {text}; }
  void wait_for_all() override {}
  [[noreturn]] void abort(int status) override { std::_Exit(status); }
};

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  const auto launch = find_launch([](const char* name) { return std::getenv(name); });
  if (!launch) return std::make_unique<SingleRank>();
  const auto started = launch->ranks.value_or(1);
  if (!launch->speaks_mpi) {
    base::fail(launch->launcher, " is ", started,
               ", but these processes cannot find each other: use mpirun, or srun with PMIx");
  }
  auto ranks = mpi_ranks();
  if (!ranks && started == 1) return std::make_unique<SingleRank>();
  if (!ranks) {
    base::fail("one of ", started, " processes (", launch->launcher,
               "), but this program was built without MPI");
  }
  if (launch->ranks && ranks->size() != started) {
    base::fail("the launcher (", launch->launcher, ") started ", started,
               " processes, but MPI finds ", ranks->size(),
               ": it belongs to another MPI than this program, ", mpi_origin());
  }
  return ranks;
}

}  // namespace awend::train
