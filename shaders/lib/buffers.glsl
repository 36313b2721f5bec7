// How kernels read and write tensors.  One source, three ways to reach memory, because drivers
// differ by a factor of two (measured in tests/bench/RESULTS.md):
//
//   BUFFERS_STORAGE   storage buffers: every GPU, and the validation layer, which sees no other way
//   BUFFERS_TEXEL     vectors that are only read come as texel buffers: lavapipe before Mesa 23.1,
//                     where a storage load is a loop over lanes and components
//   BUFFERS_ADDRESS   addresses behind the push constants: lavapipe since Mesa 23.1, which gathers;
//                     two components at a time, for half the gathers
//
// A kernel declares each tensor once and gets functions named after it:
//
//   READS(vec4, 1, x)      load_x(i)                   only read
//   WRITES(vec4, 2, y)     store_y(i, value)           only written
//   UPDATES(vec4, 3, z)    load_z(i), store_z(i, …)    both; an element is loaded before any store
//
// and PUSH(Type, BINDINGS) declares its push constants `pc`; BINDINGS is one more than the largest
// binding.  Types are vec4, vec2, float, uint and uvec2.
#ifndef AWEND_LIB_BUFFERS
#define AWEND_LIB_BUFFERS

#define STORAGE_BLOCK(access, type, slot, name) \
  layout(set = 0, binding = slot) access buffer name##_block { type name##_values[]; };
#define STORAGE_LOAD(type, name) \
  type load_##name(uint i) { return name##_values[i]; }
#define STORAGE_STORE(type, name) \
  void store_##name(uint i, type value) { name##_values[i] = value; }

#ifdef BUFFERS_ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(buffer_reference, std430, buffer_reference_align = 16) buffer At_vec4 { u64vec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer At_vec2 { vec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer At_float { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer At_uint { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer At_uvec2 { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer To_vec4 { vec4 v[]; };
#define To_vec2 At_vec2
#define To_float At_float
#define To_uint At_uint
#define To_uvec2 At_uvec2

vec4 from_words(u64vec2 words) {
  return uintBitsToFloat(uvec4(unpackUint2x32(words.x), unpackUint2x32(words.y)));
}
#define from_vec4(x) from_words(x)
#define from_vec2(x) x
#define from_float(x) x
#define from_uint(x) x
#define from_uvec2(x) x

#define PUSH(type, bindings) \
  layout(push_constant) uniform Push { type pc; uvec2 addresses[bindings]; };
#define READS(type, slot, name) \
  type load_##name(uint i) { return from_##type(At_##type(addresses[slot]).v[i]); }
#define WRITES(type, slot, name) \
  void store_##name(uint i, type value) { To_##type(addresses[slot]).v[i] = value; }
#define UPDATES(type, slot, name) READS(type, slot, name) WRITES(type, slot, name)

#else

#define PUSH(type, bindings) layout(push_constant) uniform Push { type pc; };
#ifdef BUFFERS_TEXEL
#define READS_vec4(slot, name) \
  layout(set = 0, binding = slot) uniform samplerBuffer name##_texels; \
  vec4 load_##name(uint i) { return texelFetch(name##_texels, int(i)); }
#else
#define READS_vec4(slot, name) STORAGE_BLOCK(readonly, vec4, slot, name) STORAGE_LOAD(vec4, name)
#endif
#define READS_vec2(slot, name) STORAGE_BLOCK(readonly, vec2, slot, name) STORAGE_LOAD(vec2, name)
#define READS_float(slot, name) STORAGE_BLOCK(readonly, float, slot, name) STORAGE_LOAD(float, name)
#define READS_uint(slot, name) STORAGE_BLOCK(readonly, uint, slot, name) STORAGE_LOAD(uint, name)
#define READS_uvec2(slot, name) STORAGE_BLOCK(readonly, uvec2, slot, name) STORAGE_LOAD(uvec2, name)
#define READS(type, slot, name) READS_##type(slot, name)
#define WRITES(type, slot, name) \
  STORAGE_BLOCK(writeonly, type, slot, name) STORAGE_STORE(type, name)
#define UPDATES(type, slot, name) \
  STORAGE_BLOCK(, type, slot, name) STORAGE_LOAD(type, name) STORAGE_STORE(type, name)

#endif
#endif
