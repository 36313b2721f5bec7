#include "model/relative_positions.hpp"

#include <algorithm>
#include <cmath>

namespace awend::model {
namespace {

/// The bucket of a distance among `buckets` of one direction.  In single precision, as in the code
/// of T5: a distance at the border of two buckets must be in the same one there and here.
std::uint32_t bucket_of(std::uint32_t distance, std::uint32_t buckets, std::uint32_t max_distance) {
  const std::uint32_t exact = buckets / 2;
  if (distance < exact) return distance;
  const auto of_exact = [&](std::uint32_t value) {
    return static_cast<double>(value) / static_cast<double>(exact);
  };
  const float share = std::log(static_cast<float>(of_exact(distance))) /
                      static_cast<float>(std::log(of_exact(max_distance)));
  const auto more = static_cast<std::uint32_t>(share * static_cast<float>(buckets - exact));
  return std::min(exact + more, buckets - 1);
}

}  // namespace

std::vector<std::uint32_t> relative_buckets(const RelativePositions& positions) {
  const bool is_both = positions.directions == RelativePositions::Directions::kBoth;
  const std::uint32_t buckets = is_both ? positions.buckets / 2 : positions.buckets;
  const std::uint32_t most = positions.max_distance;
  std::vector<std::uint32_t> all(2 * std::size_t{most} + 1);
  for (std::uint32_t distance = 0; distance <= most; ++distance) {
    const std::uint32_t bucket = bucket_of(distance, buckets, most);
    all[most - distance] = bucket;
    if (distance > 0) all[most + distance] = is_both ? buckets + bucket : 0;
  }
  return all;
}

}  // namespace awend::model
