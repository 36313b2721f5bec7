// The part of op.h that describes a step.
#ifndef AWEND_SHADERS_OP_STEP_H
#define AWEND_SHADERS_OP_STEP_H

// Scalars of one step, written by the host before each replay; 16 words.
struct StepScalars {
  uint seed_low;
  uint seed_high;
  uint step;                // of the counters of dropout: a number of its own for each update
  float loss_scale;         // of the summed loss: 1 / target tokens of the update, times its scale
  float learning_rate;
  float moment1_correction;  // 1 / (1 − β1^t)
  float moment2_correction;  // 1 / (1 − β2^t)
  float clip_norm;           // 0: none
  float gradient_scale;      // what undoes the scale of the loss, 1 without one
  float average_share;      // of the parameters in their moving average
  float unused[6];
};

#endif
