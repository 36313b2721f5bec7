// Scalars of one training step or one inference batch, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_STEP_H
#define AWEND_SHADERS_LIB_STEP_H

#ifdef __cplusplus
#include <cstdint>
namespace awend {
using uint = std::uint32_t;
#endif

// Written by the host before each replay; 16 words.
struct StepScalars {
  uint seed_low;
  uint seed_high;
  uint step;                 // part of the random counters of dropout; unique for each update
  float loss_scale;          // 1 / target tokens of the update, times the loss scale of fp16
  float learning_rate;
  float moment1_correction;  // 1 / (1 − β1^t)
  float moment2_correction;  // 1 / (1 − β2^t)
  float clip_norm;           // maximum gradient norm; 0: no clipping
  float gradient_scale;      // reciprocal of the loss scale of fp16, otherwise 1
  float average_share;       // weight of the parameters in their moving average
  float unused[6];
};

#ifdef __cplusplus
}  // namespace awend
#endif
#endif
