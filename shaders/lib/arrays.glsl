// The operands of kernels for matrix units, as arrays in storage buffers: DECLARE(NAME) declares
// x_values[] for each operand x that op_NAME.h lists.  half8 operands are uvec4.
#ifndef AWEND_LIB_ARRAYS
#define AWEND_LIB_ARRAYS

#define half8 uvec4
#define ADDRESSES(NAME)
#define READS(number, type, name, columns) READS_##type(number, name)
#define READS_StepScalars(number, name) \
  layout(set = 0, binding = number) readonly buffer Step { StepScalars name##_scalars; };
#define READS_ARRAY(type, number, name) \
  layout(set = 0, binding = number) readonly buffer name##_block { type name##_values[]; };
#define READS_vec4(number, name) READS_ARRAY(vec4, number, name)
#define READS_uvec2(number, name) READS_ARRAY(uvec2, number, name)
#define READS_half8(number, name) READS_ARRAY(uvec4, number, name)
#define UPDATES(number, type, name, columns) \
  layout(set = 0, binding = number) buffer name##_block { type name##_values[]; };

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };

#endif
