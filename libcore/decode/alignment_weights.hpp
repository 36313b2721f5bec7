// The weights of an alignment, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace awend::decode {

/// Weights of each target token over the source tokens; the last of either is the end of the
/// sentence.
struct Alignment {
  std::uint32_t target = 0, source = 0;
  std::vector<double> weights;  ///< (target, source)

  double at(std::uint32_t row, std::uint32_t column) const {
    return weights[std::size_t{row} * source + column];
  }
};

}  // namespace awend::decode
