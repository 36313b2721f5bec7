#include <chrono>

#include "base/error.hpp"
#include "host/thread_pool.hpp"
#include "nn/program.hpp"
#include "nn/run.hpp"

namespace awend::nn {
namespace {

using Clock = std::chrono::steady_clock;

/// The memory of a program; its counts change between replays, their addresses do not.
class ProgramMemory : public HostMemory {
 public:
  explicit ProgramMemory(const Program& program) : program_(program) {}

  std::byte* memory(const Tensor& tensor) const override { return program_.range_of(tensor).host; }
  const std::uint32_t* count(std::uint32_t word) const override { return &program_.counts()[word]; }

 private:
  const Program& program_;
};

class ProcessorRun : public Run {
 public:
  explicit ProcessorRun(const Program& program) : program_(program) {}

  void prepare() override {
    for (std::size_t step = 0; step < program_.launches(); ++step) {
      const Launch& launch = program_.launch_at(step);
      base::check(launch.host != nullptr,
                  base::concat(launch.kernel, " is computed on the processor"));
    }
  }

  void record(vulkan::Timing timing) override {
    timing_ = timing;
    const ProgramMemory memory(program_);
    for (std::size_t step = 0; step < program_.launches(); ++step)
      steps_.push_back(program_.launch_at(step).host(memory));
  }

  void write_counts() override {}  // read in place

  void submit(const std::function<void(std::size_t)>& submitted) override {
    host::ThreadPool& threads =
        program_.threads() == Threads::kAll ? program_.engine().threads() : one_thread_;
    timings_.clear();
    std::size_t part = 0;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      const auto begin = timing_ == vulkan::Timing::kOn ? Clock::now() : Clock::time_point();
      steps_[step](threads);
      if (timing_ == vulkan::Timing::kOn) {
        const std::chrono::duration<double, std::nano> duration = Clock::now() - begin;
        timings_.push_back({program_.launch_at(step).kernel, duration.count()});
      }
      if (program_.ends_part(step)) submitted(part++);
    }
  }

  void wait() override {}
  std::vector<vulkan::Timed> timings() const override { return timings_; }

 private:
  const Program& program_;
  host::ThreadPool one_thread_{1};
  std::vector<HostStep> steps_;
  vulkan::Timing timing_ = vulkan::Timing::kOff;
  std::vector<vulkan::Timed> timings_;
};

}  // namespace

std::unique_ptr<Run> run_on_processor(const Program& program) {
  return std::make_unique<ProcessorRun>(program);
}

}  // namespace awend::nn
