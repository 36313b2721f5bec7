// The part of Recording that estimates and measures the duration of slices.
#include <array>

#include "base/error.hpp"
#include "vulkan/recording.hpp"

namespace awend::vulkan {
namespace {

constexpr double kLaunchSeconds = 5e-6;
// A part that is expected to take this much less than a submission may, as a step of decoding, is
// not measured.
constexpr double kNegligible = 8;

}  // namespace

std::uint64_t ticks_between(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits) {
  const std::uint64_t mask =
      valid_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << valid_bits) - 1;
  return (end - begin) & mask;
}

void Recording::add_transfer(double seconds) {
  slices_.back().transfers += seconds;
  slices_.back().seconds += seconds;
  slices_.back().expected += seconds;
}

void Recording::add_dispatch(double seconds) {
  estimates_.push_back({slices_.size() - 1, seconds});
  slices_.back().seconds += seconds;
  slices_.back().expected += seconds + kLaunchSeconds;
}

void Recording::set_shares(std::span<const double> shares) {
  base::check(shares.size() == estimates_.size(), "each dispatch has a share");
  for (auto& slice : slices_) slice.expected = slice.transfers;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto& [slice, seconds] = estimates_[i];
    slices_[slice].expected += seconds * shares[i] + kLaunchSeconds;
  }
}

std::vector<double> Recording::expected_seconds() const {
  std::vector<double> seconds;
  for (const auto& slice : slices_) seconds.push_back(slice.expected * slice.correction);
  return seconds;
}

std::optional<double> Recording::measured_seconds(const Slice& slice) const {
  if (slice.stamps.get() == VK_NULL_HANDLE) return std::nullopt;
  std::array<std::uint64_t, 2> stamps{};
  const VkResult result =
      vkGetQueryPoolResults(device_.get(), slice.stamps.get(), 0, kSliceStamps, sizeof stamps,
                            stamps.data(), 8, VK_QUERY_RESULT_64_BIT);
  if (result == VK_NOT_READY) return std::nullopt;
  device_.require(result, "vkGetQueryPoolResults");
  return 1e-9 * device_.limits().timestamp_period_ns *
         static_cast<double>(ticks_between(stamps[0], stamps[1], device_.limits().timestamp_bits));
}

/// Corrects the estimates of a part that has just finished.  Without timestamps, all its slices are
/// assumed to be equally faster or slower than estimated.
void Recording::measure(std::size_t part) {
  if (!parts_[part].submitted) return;
  const std::chrono::duration<double> elapsed = Clock::now() - *parts_[part].submitted;
  parts_[part].submitted.reset();
  const std::span slices(slices_.begin() + static_cast<std::ptrdiff_t>(parts_[part].first_slice),
                         slices_.begin() + static_cast<std::ptrdiff_t>(end_of(part)));
  double expected = 0, corrected = 0;
  for (const Slice& slice : slices) {
    expected += slice.expected;
    corrected += slice.expected * slice.correction;
  }
  if (corrected < pace_.submit_seconds / kNegligible) return;
  for (Slice& slice : slices) {
    if (slice.expected <= 0) continue;
    const auto seconds = measured_seconds(slice);
    slice.correction = next_correction(
        slice.correction, seconds ? *seconds / slice.expected : elapsed.count() / expected);
  }
}

}  // namespace awend::vulkan
