// Functions that read and write the operands of a kernel.  Two ways to access memory:
//
//   BUFFERS_STORAGE   storage buffers: all GPUs, and the validation layer, which checks only these
//   BUFFERS_ADDRESS   buffer addresses, stored after the push constants: devices that bind too few
//                     storage buffers, and lavapipe since Mesa 23.1, which gathers; vec4 operands
//                     are read as two 64-bit words: half the gathers
//
// DECLARE(NAME) declares the operands that op_NAME.h lists, and for each of them:
//
//   READS(1, vec4, x, …)      load_x(i)
//   WRITES(2, vec4, y, …)     store_y(i, value)
//   UPDATES(3, vec4, z, …)    load_z(i), store_z(i, value); load an element before storing it
//
// half4 operands are loaded and stored as uvec2 (lib/sixteen_bits.glsl); StepScalars operands are
// accessed as `step_scalars`.
#ifndef AWEND_LIB_BUFFERS
#define AWEND_LIB_BUFFERS

#define half4 uvec2

#define READS(number, type, name, columns) READS_##type(number, name)
#define READS_StepScalars(number, name) \
  layout(set = 0, binding = number) readonly buffer Step { StepScalars name##_scalars; };

#define STORAGE_BLOCK(access, type, number, name) \
  layout(set = 0, binding = number) access buffer name##_block { type name##_values[]; };
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
#define To_half4 At_uvec2

vec4 from_words(u64vec2 words) {
  return uintBitsToFloat(uvec4(unpackUint2x32(words.x), unpackUint2x32(words.y)));
}

#define ADDRESSES(NAME) uvec2 addresses[1 NAME##_OPERANDS(PLUS_ONE, PLUS_ONE, PLUS_ONE)];
#define READS_vec4(number, name) \
  vec4 load_##name(uint i) { return from_words(At_vec4(addresses[number]).v[i]); }
#define ADDRESS_READS(type, number, name) \
  type load_##name(uint i) { return At_##type(addresses[number]).v[i]; }
#define READS_vec2(number, name) ADDRESS_READS(vec2, number, name)
#define READS_float(number, name) ADDRESS_READS(float, number, name)
#define READS_uint(number, name) ADDRESS_READS(uint, number, name)
#define READS_uvec2(number, name) ADDRESS_READS(uvec2, number, name)
#define READS_half4(number, name) ADDRESS_READS(uvec2, number, name)
#define WRITES(number, type, name, columns) \
  void store_##name(uint i, type value) { To_##type(addresses[number]).v[i] = value; }
#define UPDATES(number, type, name, columns) \
  READS(number, type, name, columns) WRITES(number, type, name, columns)

#else

#define ADDRESSES(NAME)
#define STORAGE_READS(type, number, name) \
  STORAGE_BLOCK(readonly, type, number, name) STORAGE_LOAD(type, name)
#define READS_vec4(number, name) STORAGE_READS(vec4, number, name)
#define READS_vec2(number, name) STORAGE_READS(vec2, number, name)
#define READS_float(number, name) STORAGE_READS(float, number, name)
#define READS_uint(number, name) STORAGE_READS(uint, number, name)
#define READS_uvec2(number, name) STORAGE_READS(uvec2, number, name)
#define READS_half4(number, name) STORAGE_READS(uvec2, number, name)
#define WRITES(number, type, name, columns) \
  STORAGE_BLOCK(writeonly, type, number, name) STORAGE_STORE(type, name)
#define UPDATES(number, type, name, columns) \
  STORAGE_BLOCK(, type, number, name) STORAGE_LOAD(type, name) STORAGE_STORE(type, name)

#endif
#endif
