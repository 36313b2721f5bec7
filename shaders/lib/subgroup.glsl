// What all kernels without shared memory have in common: a workgroup is one subgroup, whose size is
// specialization constant 0, and the numbers of rows are in the buffer of counts, which the host
// writes before each replay.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };

uint lane() { return gl_SubgroupInvocationID; }

// Vectors that a lane loads before it stores any of them: a load after a store to another operand
// waits for it, because compilers cannot know that these do not overlap.
const uint AT_ONCE = 4;

// Sums and maxima over all lanes by a butterfly of shuffles; on lavapipe, four times as fast as
// subgroupAdd.  The order of additions depends only on the subgroup size.  No loop: drivers stop
// unrolling in kernels with many nested loops, and arrays are then not kept in registers.
#define LANES_BUTTERFLY(type, name, combine) \
  type name(type value) { \
    if (LANES > 1) value = combine(value, subgroupShuffleXor(value, 1)); \
    if (LANES > 2) value = combine(value, subgroupShuffleXor(value, 2)); \
    if (LANES > 4) value = combine(value, subgroupShuffleXor(value, 4)); \
    if (LANES > 8) value = combine(value, subgroupShuffleXor(value, 8)); \
    if (LANES > 16) value = combine(value, subgroupShuffleXor(value, 16)); \
    if (LANES > 32) value = combine(value, subgroupShuffleXor(value, 32)); \
    if (LANES > 64) value = combine(value, subgroupShuffleXor(value, 64)); \
    return value; \
  }
#define PLUS(a, b) ((a) + (b))

LANES_BUTTERFLY(float, lanes_add, PLUS)
LANES_BUTTERFLY(float, lanes_max, max)
LANES_BUTTERFLY(uint, lanes_max, max)
