// Kernels of op_feed.comp: the attentional state of a decoder with input feeding.
#ifndef AWEND_SHADERS_OP_FEED_H
#define AWEND_SHADERS_OP_FEED_H

#include "lib/kernel.h"

#define FEED_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, KEEP, keep, 0) /* 1: store what the gradient needs */
#define FEED_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) /* the packed rows of all steps */ \
  READS(2, vec4, z, COLUMNS) /* by rank */ \
  UPDATES(3, vec4, f, COLUMNS) /* by rank: the attentional state */ \
  WRITES(4, vec4, y, COLUMNS) /* packed: f after the step */ \
  WRITES(5, vec4, f_before, COLUMNS) /* packed, with KEEP */
#define FEED_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(feed, Feed, FEED)

#define FEED_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, HAS_DY, has_dy, 1) /* 0: dy is zero */
#define FEED_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) \
  READS(2, vec4, y, COLUMNS) /* packed */ \
  READS(3, vec4, dy, COLUMNS) /* packed */ \
  READS(4, vec4, df, COLUMNS) /* by rank: from the next step */ \
  WRITES(5, vec4, dz, COLUMNS) /* by rank */ \
  WRITES(6, vec4, dz_rows, COLUMNS) /* packed: the same */
#define FEED_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(feed_backward, FeedBackward, FEED_BACKWARD)

#endif
