// The part of Program that runs what was recorded, by kernels and by the host.
#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/program.hpp"

namespace awend::nn {

std::uint32_t Program::groups(const Axis& axis) const {
  if (!axis.count) return axis.fixed;
  return base::divide_up(counts_[axis.count->word], axis.divisor);
}

void Program::set(const Count& count, std::uint32_t value, std::uint32_t first) {
  if (value > capacities_[count.word]) {
    base::fail("a batch of ", value, " rows exceeds the capacity of ", capacities_[count.word]);
  }
  counts_[count.word] = value;
  counts_[count.word + 1] = first;
  for (const auto& part : part_counts_) {
    if (part.whole != count.word) continue;
    counts_[part.part] = std::min(value - std::min(value, part.first), capacities_[part.part]);
    counts_[part.part + 1] = first + part.first;
  }
}

void Program::write_counts() {
  base::check(recording_ != nullptr, "compile() comes before a replay");
  const auto counts = host<std::uint32_t>(*counts_tensor_);
  std::copy(counts_.begin(), counts_.end(), counts.begin());
  const auto workgroups = host<std::uint32_t>(*workgroups_tensor_);
  for (std::size_t step = 0; step < launches_.size(); ++step) {
    workgroups[3 * step] = groups(launches_[step].x);
    workgroups[3 * step + 1] = groups(launches_[step].y);
    workgroups[3 * step + 2] = 1;
  }
  if (recording_->is_paced()) write_shares();
}

void Program::write_shares() {
  std::vector<double> shares;
  const auto share = [&](const Axis& axis) {
    const std::uint32_t most = axis.max_groups();
    return most == 0 ? 0.0 : static_cast<double>(groups(axis)) / most;
  };
  for (const Launch& launch : launches_) {
    if (launch.host == nullptr) shares.push_back(share(launch.x) * share(launch.y));
  }
  recording_->set_shares(shares);
}

void Program::run_host_work(const Part& part) {
  using Clock = std::chrono::steady_clock;
  for (const std::size_t step : part.host_launches) {
    const auto start = Clock::now();
    host_steps_[step](*engine_.host_threads);
    const std::chrono::duration<double, std::nano> duration = Clock::now() - start;
    host_timings_.push_back({base::concat(launches_[step].kernel, "_host"), duration.count()});
  }
}

void Program::replay() {
  submit([](std::size_t) {});
  wait();
}

void Program::submit(const std::function<void(std::size_t)>& submitted) {
  write_counts();
  host_timings_.clear();
  if (stages_inputs_) {
    upload_->submit(0);
    is_uploading_ = true;
  }
  std::size_t cut = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].has_kernels) {
      recording_->submit(i);
      running_ = i;
    }
    if (!parts_[i].host_launches.empty()) {
      wait();
      run_host_work(parts_[i]);
    }
    if (parts_[i].is_cut) submitted(cut++);
  }
}

void Program::wait() {
  if (running_) recording_->wait(*running_);
  running_.reset();
}

void Program::wait_for_inputs() {
  if (is_uploading_) upload_->wait(0);
  is_uploading_ = false;
}

std::vector<vulkan::Recording::Timed> Program::timings() const {
  auto timings = recording_->timings();
  timings.insert(timings.end(), host_timings_.begin(), host_timings_.end());
  return timings;
}

void Program::poison() {
  constexpr std::uint32_t kNaN = 0x7fc00000;
  vulkan::Recording recording(engine_.device);
  for (const auto& storage : storages_) {
    const bool computed =
        storage.placement == Placement::kActivation || storage.placement == Placement::kOutput;
    if (!computed || storage.range.buffer == VK_NULL_HANDLE) continue;
    recording.fill(storage.range, kNaN);
    recording.barrier();  // activations share memory
  }
  recording.replay();
}

}  // namespace awend::nn
