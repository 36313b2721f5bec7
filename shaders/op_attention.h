// The part of op.h that attention uses.  It lies apart because the kernel for matrix units is also
// kept compiled, and must be compiled again when this changes (shaders/prebuilt).
#ifndef AWEND_SHADERS_OP_ATTENTION_H
#define AWEND_SHADERS_OP_ATTENTION_H

#include "op_step.h"

struct AttentionPush {
  uint rows_count;      // query rows; in the kernel for keys and values, key rows
  uint partners_count;  // the other ones
  uint site;
  uint threshold;
  float scale;      // 1 / (1 − P_drop)
};

#endif
