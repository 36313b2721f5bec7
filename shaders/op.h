// Push constants of all kernels, read by GLSL and by C++: 32-bit scalars only, so that both lay
// them out alike.
//
// A field that ends in _count names a word of the counts buffer, not a number of rows.  The word
// after it is the number of the first row in the whole update, which dropout counts by.
#ifndef AWEND_SHADERS_OP_H
#define AWEND_SHADERS_OP_H

#include "op_attention.h"
#include "op_matmul.h"

// Rows that one subgroup takes one after the other in kernels that work row by row.
#define ROWS_PER_GROUP 4

// Rows that one subgroup sums in the first stage of a sum over rows.
#define COLUMN_SUM_ROWS 64

// vec4 elements that one subgroup takes in kernels over flat buffers, for each lane.
#define FLAT_VECTORS_PER_LANE 64

// An id that stands for the zero vector: the first input of the decoder.
#define NO_TOKEN 0xffffffffu

// Of the kernel without shared memory.
struct SubgroupMatmulPush {
  uint count;    // as in MatmulPush; so for the next three
  uint inner;
  uint columns;
  uint flags;
  uint first;  // TN: sums over rows first … end - 1 of those that there are
  uint end;
};

struct ElementwisePush {
  uint rows_count;
  uint site;       // of dropout
  uint threshold;  // a random word below it drops its element; 0: nothing is dropped
  float scale;     // 1 / (1 − P_drop)
};

struct EmbeddingPush {
  uint rows_count;  // in the backward pass, keys
  uint tokens_count;
  uint site;
  uint threshold;
  float scale;
  float multiplier;  // √d_model
};

struct RowsPush {
  uint rows_count;
};

// Attention of one decoding step over a cache of keys and values.
struct CachedAttentionPush {
  uint rows_count;
};

struct StoreRowsPush {
  uint rows_count;
};

// Marks an id whose logit is scaled, not added to.
#define ADJUST_REPEATED 0x80000000u

// Parts of a lane's columns whose best entries the kernel of the best tokens remembers.
#define TOP_K_BLOCKS 16

struct TopKPush {
  uint rows_count;
  uint vocabulary;
};

// What one model adds to what several say together.
struct MixturePush {
  uint rows_count;
  uint vocabulary;
  float weight;
};

// vec4 elements that a lane of the kernel of draws takes in one round of a loop.
#define SAMPLE_VECTORS 4
// Digits of an id in its search; the vocabulary is smaller than that.
#define SAMPLE_ID_BITS 20

struct SamplePush {
  uint rows_count;
  uint vocabulary;
  uint top_k;  // tokens that may be drawn
  float top_p;  // share of their probability that may be drawn
  float inverse_temperature;
};

struct LossPush {
  uint rows_count;
  uint vocabulary;  // columns beyond it are padding
  float smoothing;
};

struct AdamPush {
  uint floats_count;
  float beta1;
  float beta2;
  float epsilon;
  float weight_decay;
};

struct AveragePush {
  uint floats_count;
};

struct NormPush {
  uint floats_count;
  uint first_partial;  // where this piece's partial sums begin
};

#endif
