// Types and constants that host code shares with several kernels.  What belongs to one operation is
// in its header shaders/op_NAME.h, which only the source of that operation includes.
#pragma once

#include <cstdint>

#include "shaders/lib/matmul.h"
#include "shaders/lib/rows.h"
#include "shaders/lib/step.h"
#include "shaders/lib/tokens.h"

namespace awend::nn {

using awend::StepScalars;

/// Columns of a tensor that holds one StepScalars.
inline constexpr std::uint32_t kStepColumns = sizeof(StepScalars) / 4;

}  // namespace awend::nn
