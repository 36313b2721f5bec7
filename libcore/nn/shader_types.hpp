// shaders/op.h as C++ reads it.
#pragma once

#include <cstdint>

namespace awend::nn {

using uint = std::uint32_t;
#include "shaders/op.h"

}  // namespace awend::nn
