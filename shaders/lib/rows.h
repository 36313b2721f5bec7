// How work on rows and flat buffers is divided into workgroups, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_ROWS_H
#define AWEND_SHADERS_LIB_ROWS_H

// Rows that one subgroup processes in kernels that work row by row.
#define ROWS_PER_GROUP 4

// vec4 elements for each lane of a subgroup in kernels that work on flat buffers.
#define FLAT_VECTORS_PER_LANE 64

#endif
