#include "vulkan/pace.hpp"

#include <algorithm>

namespace awend::vulkan {

Speed assumed_speed(DeviceType type, std::uint64_t heap_bytes) {
  // Discrete GPUs with 6 GB have a peak of more than 3 TFLOP/s; parts of products for slower ones
  // would leave the multiprocessors of large ones idle.  Those with less memory include some of
  // 0.4 TFLOP/s.
  constexpr std::uint64_t kLargeHeap = std::uint64_t{5} << 30;
  if (type == DeviceType::kDiscreteGpu && heap_bytes >= kLargeHeap)
    return {.flops_per_second = 2e12, .bytes_per_second = 5e10};
  return {.flops_per_second = 1e11, .bytes_per_second = 1e10};
}

double seconds_of(const Work& work, const Speed& speed) {
  return std::max(work.flops / speed.flops_per_second, work.bytes / speed.bytes_per_second);
}

Pace pace_of(DeviceType type, std::uint64_t heap_bytes) {
  const double seconds =
      type == DeviceType::kCpu ? std::numeric_limits<double>::infinity() : kSubmitSeconds;
  return {.submit_seconds = seconds, .speed = assumed_speed(type, heap_bytes)};
}

std::vector<std::size_t> group_ends(std::span<const double> seconds, double submit_seconds) {
  std::vector<std::size_t> ends;
  double sum = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (i > 0 && sum + seconds[i] > submit_seconds) {
      ends.push_back(i);
      sum = 0;
    }
    sum += seconds[i];
  }
  if (!seconds.empty()) ends.push_back(seconds.size());
  return ends;
}

double next_correction(double correction, double measured) {
  return std::max(measured, correction / 2);
}

}  // namespace awend::vulkan
