#include "nn/gradient_slices.hpp"

#include <algorithm>

#include "base/numbers.hpp"

namespace awend::nn {
namespace {

constexpr auto kGradients = Parameters::Buffer::kGradients;

/// The gradient of a parameter, and the last launch that writes it.
struct Finished {
  FlatRange place;
  std::size_t launch;
};

/// In the order in which the program finishes them, without frozen parameters.
std::vector<Finished> finished_gradients(Program& program, const Parameters& parameters) {
  std::vector<FlatRange> places;
  std::vector<vulkan::Range> ranges;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters.trains(parameters.parameter(i))) continue;
    places.push_back(parameters.place(parameters.parameter(i)));
    ranges.push_back(parameters.flat(places.back(), kGradients));
  }
  const auto last = program.last_writes(ranges);
  std::vector<Finished> finished;
  for (std::size_t i = 0; i < places.size(); ++i)
    finished.push_back({places[i], last[i].value_or(0)});
  std::ranges::stable_sort(finished, {}, &Finished::launch);
  return finished;
}

std::vector<FlatRange> joined(std::vector<FlatRange> ranges) {
  std::ranges::sort(ranges, {}, &FlatRange::begin);
  std::vector<FlatRange> joined;
  for (const auto& range : ranges) {
    if (!joined.empty() && joined.back().end == range.begin) {
      joined.back().end = range.end;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace

GradientSlices::GradientSlices(Program& program, const Parameters& parameters,
                               const SliceSettings& settings)
    : program_(program) {
  const std::uint64_t enough =
      std::max(settings.min_floats, base::divide_up(parameters.flat_floats(), settings.max_slices));
  const auto finished = finished_gradients(program, parameters);
  std::vector<FlatRange> ranges;
  std::uint64_t floats = 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    ranges.push_back(finished[i].place);
    floats += finished[i].place.size();
    const bool is_last = i + 1 == finished.size();
    if (!is_last && (floats < enough || finished[i + 1].launch == finished[i].launch)) continue;
    if (!is_last) program.cut_after(finished[i].launch);
    slices_.push_back({.ranges = joined(ranges), .floats = floats});
    ranges.clear();
    floats = 0;
  }
  record(parameters);
}

void GradientSlices::record(const Parameters& parameters) {
  auto& device = program_.engine().device;
  staging_ = std::make_unique<vulkan::Arena>(device, vulkan::MemoryKind::kDownload,
                                             parameters.flat_floats() * sizeof(float));
  std::uint64_t at = 0;
  for (auto& slice : slices_) {
    slice.stage = staging_->range(at, slice.floats * sizeof(float));
    at += slice.stage.size_bytes;
    slice.download = std::make_unique<vulkan::Recording>(device);
    slice.upload = std::make_unique<vulkan::Recording>(device);
    std::uint64_t inside = 0;
    for (const auto& range : slice.ranges) {
      const auto gradients = parameters.flat(range, kGradients);
      const auto stage = slice.stage.part(inside, gradients.size_bytes);
      slice.download->copy(gradients, stage);
      slice.upload->copy(stage, gradients);
      inside += gradients.size_bytes;
    }
  }
}

void GradientSlices::replay() {
  // Part i of the program finishes slice i.
  program_.submit([&](std::size_t part) { slices_[part].download->submit(0); });
}

void GradientSlices::fetch() {
  for (auto& slice : slices_) slice.download->submit(0);
}

void GradientSlices::put_back(std::size_t i) {
  slices_[i].upload->submit(0);
  // Host functions do not wait for work of others on the device.
  if (program_.engine().host_threads != nullptr) slices_[i].upload->wait(0);
}

bool GradientSlices::arrived(std::size_t i, std::uint64_t nanoseconds) const {
  const bool has_arrived = slices_[i].download->wait(0, nanoseconds);
  // The program has finished with the last slice; its submissions are measured.
  if (has_arrived && i + 1 == slices_.size()) program_.wait();
  return has_arrived;
}

}  // namespace awend::nn
