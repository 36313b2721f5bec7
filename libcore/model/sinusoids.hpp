// The sinusoidal positions of the paper (section 3.5).  Test: tests/unit/model/config_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::model {

/// PE(position, 2i) = sin(position / 10000^(2i / columns)), PE(position, 2i + 1) the cosine of the
/// same; (rows, columns).
std::vector<float> sinusoids(std::uint32_t rows, std::uint32_t columns);

}  // namespace awend::model
