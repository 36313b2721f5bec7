// What every kernel shares: one workgroup is one subgroup, its size is specialization constant 0,
// and row counts are read from the counts buffer, which the host writes before each replay.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };

uint lane() { return gl_SubgroupInvocationID; }

// Sums and maxima over all lanes by a butterfly of shuffles; on lavapipe a quarter of the price of
// subgroupAdd.  The order of additions depends on the subgroup size alone.
float lanes_add(float value) {
  for (uint distance = 1; distance < LANES; distance *= 2) {
    value += subgroupShuffleXor(value, distance);
  }
  return value;
}

float lanes_max(float value) {
  for (uint distance = 1; distance < LANES; distance *= 2) {
    value = max(value, subgroupShuffleXor(value, distance));
  }
  return value;
}

uint lanes_max(uint value) {
  for (uint distance = 1; distance < LANES; distance *= 2) {
    value = max(value, subgroupShuffleXor(value, distance));
  }
  return value;
}
