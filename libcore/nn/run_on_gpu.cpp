#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/gpu.hpp"
#include "nn/hazards.hpp"
#include "nn/limits.hpp"
#include "nn/program.hpp"
#include "nn/run.hpp"
#include "vulkan/recording.hpp"

namespace awend::nn {
namespace {

class GpuRun : public Run {
 public:
  explicit GpuRun(Program& program) : program_(program), gpu_(program.engine().gpu()) {
    counts_ = program.input({0, static_cast<std::uint32_t>(program.counts().size())}, 1);
    workgroups_ = program.input({0, static_cast<std::uint32_t>(3 * program.launches())}, 1);
  }

  void prepare() override {
    std::vector<vulkan::KernelKey> keys;
    for (std::size_t step = 0; step < program_.launches(); ++step) {
      const Launch& launch = program_.launch_at(step);
      keys.emplace_back(launch.kernel, launch.constants);
    }
    gpu_.kernels.prepare(std::move(keys));
    for (std::size_t step = 0; step < program_.launches(); ++step)
      check_limits(program_.launch_at(step));
  }

  void record(vulkan::Timing timing) override {
    recording_ = std::make_unique<vulkan::Recording>(gpu_.device, timing);
    for (std::size_t step = 0; step < program_.launches(); ++step) {
      record(program_.launch_at(step), step);
      if (!program_.ends_part(step) || step + 1 == program_.launches()) continue;
      recording_->end_part();  // includes a barrier
      hazards_.clear();
    }
    recording_->finish();
  }

  void write_counts() override {
    std::ranges::copy(program_.counts(), program_.host<std::uint32_t>(counts_).begin());
    const auto workgroups = program_.host<std::uint32_t>(workgroups_);
    std::vector<double> shares;
    const auto share = [&](const Axis& axis) {
      const std::uint32_t max_groups = axis.max_groups();
      return max_groups == 0 ? 0.0 : static_cast<double>(groups(axis)) / max_groups;
    };
    for (std::size_t step = 0; step < program_.launches(); ++step) {
      const Launch& launch = program_.launch_at(step);
      workgroups[3 * step] = groups(launch.x);
      workgroups[3 * step + 1] = groups(launch.y);
      workgroups[3 * step + 2] = 1;
      if (recording_->is_paced()) shares.push_back(share(launch.x) * share(launch.y));
    }
    if (recording_->is_paced()) recording_->set_shares(shares);
  }

  void submit(const std::function<void(std::size_t)>& submitted) override {
    for (std::size_t part = 0; part < recording_->parts(); ++part) {
      recording_->submit(part);
      is_running_ = true;
      submitted(part);
    }
  }

  void wait() override {
    if (is_running_) recording_->wait(recording_->parts() - 1);
    is_running_ = false;
  }

  std::vector<vulkan::Timed> timings() const override { return recording_->timings(); }

 private:
  void check_limits(const Launch& launch) const {
    const auto& kernel = gpu_.kernels.get(launch.kernel, launch.constants);
    const auto& limits = gpu_.device.limits();
    const auto& reflection = kernel.reflection();
    base::check(launch.operands.size() + 1 == reflection.bindings.size() &&
                    launch.constants.size() + 1 == reflection.specialization_ids.size(),
                base::concat("kernel ", kernel.name(), " is launched as declared in its header"));
    auto binding = reflection.bindings.begin();
    Demand largest{launch.kernel, 0, 0};
    for (const Operand& operand : launch.operands) {
      const Tensor& tensor = operand.tensor;
      const std::string user = base::concat(launch.kernel, ", operand ", operand.name);
      const Demand demand{user, tensor.rows.capacity, tensor.columns, program_.reducible(tensor),
                          tensor.element};
      if (kernel.descriptors().contains((++binding)->first)) check_binding(limits, demand);
      if (tensor.capacity_bytes() <= largest.bytes()) continue;
      largest = demand;
      largest.kernel = launch.kernel;
    }
    check_workgroups(limits, largest, {launch.x.max_groups(), launch.y.max_groups()});
  }

  void record(const Launch& launch, std::size_t step) {
    const auto& kernel = gpu_.kernels.get(launch.kernel, launch.constants);
    std::vector<vulkan::Range> ranges = {program_.range_of(counts_)};
    for (const Operand& operand : launch.operands)
      ranges.push_back(program_.range_of(operand.tensor));
    const auto accesses = accesses_of(kernel.reflection().bindings, ranges);
    if (std::ranges::any_of(accesses, [&](const auto& a) { return hazards_.conflicts(a); })) {
      recording_->barrier();
      hazards_.clear();
    }
    for (const Access& access : accesses) hazards_.add(access);
    std::optional<vulkan::Range> indirect;
    if (launch.x.count || launch.y.count)
      indirect = program_.range_of(workgroups_).part(12 * step, 12);
    recording_->dispatch({.kernel = kernel,
                          .bindings = ranges,
                          .push_constants = launch.push_constants,
                          .workgroups = {launch.x.max_groups(), launch.y.max_groups(), 1},
                          .indirect = indirect,
                          .flops = launch.flops});
  }

  std::uint32_t groups(const Axis& axis) const {
    if (!axis.count) return axis.fixed;
    return base::divide_up(program_.counts()[axis.count->word], axis.divisor);
  }

  Program& program_;
  Gpu& gpu_;
  Tensor counts_;
  Tensor workgroups_;  // three words for each launch
  std::unique_ptr<vulkan::Recording> recording_;
  Hazards hazards_;  // while recording
  bool is_running_ = false;
};

}  // namespace

std::unique_ptr<Run> run_on_gpu(Program& program) {
  return std::make_unique<GpuRun>(program);
}

}  // namespace awend::nn
